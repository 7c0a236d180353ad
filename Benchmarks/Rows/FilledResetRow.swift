// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService

/// The reset of a store that a long test has filled.
struct FilledResetRow: Row {
    static let name = "reset-filled"
    static let summary =
        "resets of a store in memory with 10 accounts and 200 purchases, against twenty a second (50 ms each)"

    static func compare() async throws -> Comparison {
        try await FilledReset.compare(in: BenchmarkStore(SQLiteDatabase(.memory)))
    }
}

/// Resets that begin with the same customers and purchases.
enum FilledReset {
    private static let rounds = 5
    private static let customers = 10
    private static let purchasesEach = 20

    static func compare(in store: BenchmarkStore) async throws -> Comparison {
        try await Comparison(
            Side("resets") {
                var duration = Duration.zero
                for _ in 0..<rounds {
                    for number in 0..<customers { try await fill(store, number) }
                    guard try await store.books.purchases == customers * purchasesEach else {
                        throw BenchmarkFailure("The purchases weren't made.")
                    }
                    let reset = try await ContinuousClock().measure { try await store.service.reset() }
                    duration += reset
                }
                guard try await store.books == BenchmarkStore.Books() else {
                    throw BenchmarkFailure("The store isn't empty after a reset.")
                }
                return Double(rounds) / (duration / .seconds(1))
            },
            against: Side("resets") { 20 })
    }

    /// Makes a customer with purchases, without HTTP.
    private static func fill(_ store: BenchmarkStore, _ number: Int) async throws {
        let secret = String(repeating: "5e", count: 30) + String(1000 + number)
        let credentials = DeviceCredentials(identifier: String(secret.suffix(32)), secret: secret)
        let account = try await OpeningTestAccount(store.context)(
            email: "customer-\(number)@example.com", storefront: "USA",
            device: DeviceIdentifier(credentials.identifier),
            secret: credentials.secret)
        for request in 0..<purchasesEach {
            let asked = try await LocalStoreConnection(store.service).call(
                PaymentCall(
                    requestIdentifier: String(request), bundleIdentifier: BenchmarkStore.app,
                    productIdentifier: BenchmarkStore.product, quantity: 1),
                as: credentials)
            guard let token = asked.sheet?.split(separator: "/").last else {
                throw BenchmarkFailure("The purchase has no sheet.")
            }
            _ = try await store.service.buy(onSheet: String(token), as: account, shown: nil)
        }
    }
}
