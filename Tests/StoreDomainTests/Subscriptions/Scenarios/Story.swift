// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The books of a subscriber as time passes. Each look tells exactly the
/// changes since the one before:
///
///     var story = try await Story(of: anna)
///     try await anna.buy("small")
///     #expect(
///         try await story.changes()
///             == Changes(events: ["2026-01-10 20:00:00 subscribed small"], now: ["small renews: active"])
///             .paid("small", 4990, "2026-01-10 20:00:00", to: "2026-02-10 20:00:00"))
struct Story {
    let subscriber: Subscriber
    private let tablet: TestDevice?
    /// The books at the last look.
    private var known: Changes

    init(of subscriber: Subscriber, _ tablet: TestDevice? = nil) async throws {
        self.subscriber = subscriber
        self.tablet = tablet
        known = try await subscriber.books(tablet)
    }

    /// Lets time pass until a moment, such as `2026-03-01 00:00:00`, and tells
    /// the changes.
    mutating func go(to text: String) async throws -> Changes {
        try await subscriber.advance(to: text)
        return try await changes()
    }

    /// Tells the changes since the last look.
    mutating func changes() async throws -> Changes {
        let before = known
        known = try await subscriber.books(tablet)
        return Changes(from: before, to: known)
    }
}

extension Subscriber {
    /// Signs the account in on another device, and uses the app there.
    func addDevice(_ number: UInt8) async throws -> TestDevice {
        let device = try await store.addDevice(number)
        try await device.signIn(account)
        try await use(device)
        return device
    }

    /// Uses the app on a device.
    func use(_ device: TestDevice) async throws {
        try await RecordingDeviceUse(store.context)(
            DeviceApp(
                account: account.identifier, bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier),
                device: DeviceIdentifier(device.credentials.identifier)))
    }

    /// Everything that the store has about the account and its devices.
    fileprivate func books(_ tablet: TestDevice?) async throws -> Changes {
        let receipt = try await phone.receiptAnswer().receipt.flatMap { Data(base64Encoded: $0) }
        return Changes(
            events: try await history(), ledger: try await ownLedger(), phone: try await Self.unfinished(on: phone),
            tablet: try await tablet.asyncMap(Self.unfinished) ?? [], receipt: try receipt.map(listed) ?? [],
            now: try await standing(receipt))
    }

    private func history() async throws -> [String] {
        let list = ListingSubscriptionEvents(store.context)
        var page = try await list(of: account.identifier, after: [:])
        var events = page.events
        while page.hasMore {
            page = try await list(of: account.identifier, after: page.positions)
            events += page.events
        }
        return events.map { Self.text($0.event) }
    }

    private func ownLedger() async throws -> [String] {
        try await ReadingLedger(store.context)().filter { $0.account == account.identifier }.map {
            "\(Self.text($0.at)) \($0.kind.rawValue) \($0.amount.milliunits) \($0.amount.currency)"
        }.sorted()
    }

    private static func unfinished(on device: TestDevice) async throws -> [String] {
        try await device.queue().map { transaction in
            "\(transaction.productIdentifier) \(text(StoreTime(milliseconds: transaction.purchaseDate)))"
        }
    }

    private func listed(in receipt: Data) throws -> [String] {
        func text(_ date: Date) -> String {
            Self.text(StoreTime(milliseconds: Int64(date.timeIntervalSince1970) * 1000))
        }
        let listed = try contents(of: receipt).inAppPurchases
        expectIdentifiers(of: listed)
        return listed.map { purchase in
            let end = purchase.subscriptionExpirationDate.map { " to \(text($0))" } ?? ""
            let cancelled = purchase.cancellationDate.map { " cancelled \(text($0))" } ?? ""
            let trial = purchase.isTrialPeriod == true ? " trial" : ""
            let price = purchase.isInIntroductoryPricePeriod == true ? " introductory" : ""
            return "\(purchase.productIdentifier) \(text(purchase.purchaseDate))\(end)\(trial)\(price)\(cancelled)"
        }.sorted()
    }

    /// Each period names the first one of its chain and the date of that one,
    /// which published receipts keep over renewals, other products and gaps.
    private func expectIdentifiers(of listed: [InAppPurchase]) {
        let periods = listed.filter { $0.subscriptionExpirationDate != nil }
        for (original, chain) in Dictionary(grouping: periods, by: \.originalTransactionIdentifier) {
            let first = chain.filter { $0.transactionIdentifier == original }
            #expect(first.count == 1)
            #expect(Set(chain.map(\.originalPurchaseDate)) == Set(first.map(\.purchaseDate)))
        }
        #expect(Set(listed.map(\.transactionIdentifier)).count == listed.count)
        #expect(periods.allSatisfy { $0.webOrderLineItemIdentifier.map(String.init) == $0.transactionIdentifier })
        #expect(periods.allSatisfy { $0.quantity == 1 })
    }

    /// The entries of `pending_renewal_info`. `latest_receipt_info` has the
    /// transactions of a receipt that was made now.
    private func standing(_ receipt: Data?) async throws -> [String] {
        let latest = try await receipt.asyncMap { try await verify($0) }?.latest
        if let receipt, let latest {
            let purchases = try contents(of: receipt).inAppPurchases
            #expect(
                Set(latest.transactions.map(\.purchase.transactionIdentifier))
                    == Set(purchases.map(\.transactionIdentifier)))
        }
        return try await subscriptions().map { listed in
            let entry = latest?.renewals.first { $0.original == listed.subscription.original }
            let subject = entry.map(Self.text) ?? listed.state.period.product.rawValue
            return "\(subject): \(listed.state.status(at: listed.now))"
        }
    }
}

extension Optional {
    /// The result of an asynchronous function of the value; `nil` for `nil`.
    fileprivate func asyncMap<Result>(_ body: (Wrapped) async throws -> Result) async rethrows -> Result? {
        switch self {
        case .some(let value): try await body(value)
        case nil: nil
        }
    }
}
