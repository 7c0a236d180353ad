// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService

/// Customers of a monthly subscription, each with a device that uses the app.
/// Time passes by their accounts' clocks.
struct Subscribers: Sendable {
    private static let product = "basket"

    let store: BenchmarkStore
    let emails: [String]
    private let books: BenchmarkStore.Books

    /// Sells the subscription to a number of customers.
    init(_ count: Int, of store: BenchmarkStore) async throws {
        try await Self.sell(in: store)
        emails = (0..<count).map { "subscriber\($0)@example.com" }
        for (number, email) in emails.enumerated() { try await Self.subscribe(email, number, of: store) }
        self.store = store
        books = try await store.books
    }

    /// Checks that this number of renewals was charged once, and put into the
    /// queue of the customer's device, since the customers have subscribed.
    func expect(renewals: Int) async throws {
        let found = try await store.books
        var expected = books
        expected.purchases += renewals
        expected.ledgerEntries += renewals
        expected.unfinished += renewals
        guard found == expected else {
            throw BenchmarkFailure("After \(renewals) renewals the store has \(found), not \(expected).")
        }
    }

    /// Moves the clocks of all accounts forward so far that one renewal of
    /// each is due. The renewals aren't carried out, and the statements aren't
    /// counted.
    ///
    /// 32 days are longer than any month, also in the month in which
    /// California's clocks are set back. In a benchmark's few rounds the days
    /// that are too many don't add up to another month.
    func passMonth() async throws {
        let length: Int64 = 32 * 24 * 60 * 60 * 1000
        try await store.engine.write { connection in
            try connection.run("UPDATE account SET clock_offset = clock_offset + $1", [length])
            try connection.run("UPDATE subscription SET due_at = due_at - $1 WHERE due_at IS NOT NULL", [length])
        }
    }

    /// Adds the subscription to the app's catalogue.
    private static func sell(in store: BenchmarkStore) async throws {
        let catalogue = BenchmarkStore.catalogue.replacing(
            "\"version\" :",
            with: """
                "subscriptionGroups" : [ { "id" : "BASKETS", "name" : "Baskets", "localizations" : [],
                  "subscriptions" : [
                    { "productID" : "\(product)", "referenceName" : "Basket", "displayPrice" : "4.99",
                      "internalID" : "\(product)", "familyShareable" : false, "type" : "RecurringSubscription",
                      "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1, "subscriptionGroupID" : "BASKETS",
                      "localizations" : [] } ] } ],
                "version" :
                """)
        let app = BundleIdentifier(BenchmarkStore.app)
        try await ImportingCatalogue(store.context)(
            StoreKitConfigurationFile(Data(catalogue.utf8), file: "subscription.storekit", bundleIdentifier: app),
            into: App(bundleIdentifier: app, name: "Fruit"))
    }

    /// Opens an account without a password, whose hash would take long, and
    /// buys the subscription on its device.
    private static func subscribe(_ email: String, _ number: Int, of store: BenchmarkStore) async throws {
        let credentials = Customer.credentials(number)
        let account = try await OpeningTestAccount(store.context)(
            email: email, storefront: "USA", device: DeviceIdentifier(credentials.identifier),
            secret: credentials.secret)
        _ = try await MovingClock(store.context)(email: email, .speed(.realTime))
        let payment = PaymentCall(
            requestIdentifier: "subscription", bundleIdentifier: BenchmarkStore.app, productIdentifier: product,
            quantity: 1)
        let connection = LocalStoreConnection(store.service)
        let asked = try await connection.call(payment, as: credentials)
        guard let token = asked.sheet?.split(separator: "/").last else {
            throw BenchmarkFailure("The store shows no sheet for a subscription.")
        }
        _ = try await store.service.buy(onSheet: String(token), as: account, shown: nil)
        guard try await connection.call(payment, as: credentials).transaction != nil else {
            throw BenchmarkFailure("The store has no transaction for a subscription.")
        }
    }
}
