// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A customer of the baskets, and a phone. Time passes by the account's
/// clock; the wall's stands still.
struct Subscriber: Sendable {
    let store: TestStore
    let account: Account
    let phone: TestDevice

    /// The account's time.
    var now: String {
        get async throws {
            let moved = try await MovingClock(store.context).current(email: account.email)
            return Self.text(moved.to)
        }
    }

    /// Buys a product on the phone.
    @discardableResult
    func buy(_ product: String) async throws -> TransactionInfo {
        try await phone.buy(product, request: UUID().uuidString, as: account)
    }

    /// Lets time pass, and returns the events of the subscriptions, each with
    /// its time and product.
    @discardableResult
    func advance(_ move: MovingClock.Move) async throws -> [String] {
        try await store.service.move(clockOf: account.email, move).events.map { Self.text($0.event) }
    }

    /// Lets time pass until a moment, such as `2026-03-01 00:00:00`.
    @discardableResult
    func advance(to text: String) async throws -> [String] {
        try await advance(.to(Self.moment(text)))
    }

    /// The account's subscriptions.
    func subscriptions() async throws -> [ListingSubscriptions.Listed] {
        try await ListingSubscriptions(store.context)(of: account.identifier)
    }

    /// The only subscription.
    func subscription() async throws -> ListingSubscriptions.Listed {
        let all = try await subscriptions()
        return try #require(all.count == 1 ? all.first : nil)
    }

    /// The status of the only subscription now.
    func status() async throws -> SubscriptionState.Status {
        let listed = try await subscription()
        return listed.state.status(at: listed.now)
    }

    /// Turns the renewal of the only subscription on or off.
    func setRenewal(_ renews: Bool) async throws {
        try await SettingRenewal(store.context)(
            renews, of: subscription().subscription.original, account: account.identifier)
    }

    /// The account's paid periods, each with its product, start and end, and
    /// whether it was refunded or upgraded, oldest first.
    func periods() async throws -> [String] {
        try await store.context.read { db in
            try db.rows(
                """
                SELECT product_id, purchased_at, expires_at, revoked_at, is_upgraded FROM purchase
                WHERE account_id = $1 AND expires_at IS NOT NULL ORDER BY purchased_at, transaction_id
                """, [account.identifier]
            ).map { row in
                let revoked: Int64? = try row.get("revoked_at")
                let isUpgraded: Bool = try row.get("is_upgraded")
                let start = Self.text(StoreTime(milliseconds: try row.get("purchased_at")))
                let end = Self.text(StoreTime(milliseconds: try row.get("expires_at")))
                let product: String = try row.get("product_id")
                return
                    "\(product) \(start) to \(end)\(revoked == nil ? "" : " refunded")\(isUpgraded ? " upgraded" : "")"
            }
        }
    }

    /// The amounts of the ledger in their order in time, in thousandths.
    func ledger() async throws -> [Int64] {
        try await store.amounts()
    }

    /// An event with its time, product, reason and end.
    static func text(_ event: SubscriptionEvent) -> String {
        let subject = event.period?.product ?? event.product
        let reason = event.reason.map { " (\($0.rawValue))" } ?? ""
        let until = event.until.map { " until \(text($0))" } ?? ""
        return "\(text(event.at)) \(event.kind.rawValue)\(subject.map { " \($0)" } ?? "")\(reason)\(until)"
    }

    static func text(_ moment: StoreTime) -> String {
        moment.date.formatted(.iso8601).replacing("T", with: " ").replacing("Z", with: "")
    }

    static func moment(_ text: String) throws -> StoreTime {
        let date = try Date("\(text.replacing(" ", with: "T"))Z", strategy: .iso8601)
        return StoreTime(milliseconds: Int64(date.timeIntervalSince1970) * 1000)
    }
}

extension TestStore {
    /// Sells baskets: a group of two levels, and a group of magazines.
    func sellBaskets(graceDays: Int = 0) async throws {
        let file = Self.catalogue.replacing(
            "\"version\" :",
            with: """
                "subscriptionGroups" : [
                  { "id" : "BASKETS", "name" : "Baskets", "localizations" : [], "subscriptions" : [
                    \(Self.subscription("large", "9.99", "P1M", 1, "BASKETS")),
                    \(Self.subscription("small", "4.99", "P1M", 2, "BASKETS")),
                    \(Self.subscription("other", "5.99", "P1M", 2, "BASKETS")),
                    \(Self.subscription("yearly", "49.99", "P1Y", 2, "BASKETS")),
                    \(Self.subscription("weekly", "1.49", "P1W", 2, "BASKETS")) ] },
                  { "id" : "PAPERS", "name" : "Papers", "localizations" : [], "subscriptions" : [
                    \(Self.subscription("paper", "2.99", "P1M", 1, "PAPERS")),
                    \(Self.subscription("free", "0", "P1M", 2, "PAPERS")) ] }
                ],
                "version" :
                """)
        try await sell(file)
        try await SettingGracePeriod(context)(days: graceDays, of: BundleIdentifier(Self.bundleIdentifier))
    }

    /// Imports a configuration file of the app.
    func sell(_ file: String) async throws {
        let bundle = BundleIdentifier(Self.bundleIdentifier)
        try await ImportingCatalogue(context)(
            StoreKitConfigurationFile(Data(file.utf8), file: "baskets.storekit", bundleIdentifier: bundle),
            into: App(bundleIdentifier: bundle, name: "Fruit"))
    }

    static func subscription(
        _ identifier: String, _ price: String, _ period: String, _ level: Int, _ group: String
    ) -> String {
        """
        { "productID" : "\(identifier)", "referenceName" : "\(identifier)", "displayPrice" : "\(price)",
          "internalID" : "\(identifier)", "familyShareable" : false, "type" : "RecurringSubscription",
          "recurringSubscriptionPeriod" : "\(period)", "groupNumber" : \(level), "subscriptionGroupID" : "\(group)",
          "localizations" : [] }
        """
    }

    /// A customer whose clock stands at 2026-01-02 03:04:05 UTC.
    func subscriber(_ number: Int = 0, at moment: String? = nil, storefront: String = "USA") async throws -> Subscriber
    {
        let phone = TestDevice(number: UInt8(number + 1), store: self)
        let account = try await OpeningTestAccount(context)(
            email: "customer-\(number)@example.com", storefront: storefront,
            device: DeviceIdentifier(rawValue: phone.credentials.identifier), secret: phone.credentials.secret)
        let subscriber = Subscriber(store: self, account: account, phone: phone)
        if let moment { try await subscriber.advance(to: moment) }
        return subscriber
    }
}
