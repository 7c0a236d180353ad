// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService

/// The reset of a store in memory, which a test suite does before each test.
struct ResetRow: Row {
    static let name = "reset"
    static let summary =
        "resets of a store in memory with an account, a device and a purchase, against twenty a second (50 ms each)"

    private static let rounds = 20

    static func compare() async throws -> Comparison {
        let store = try await BenchmarkStore(SQLiteDatabase(.memory))
        return try await Comparison(
            Side("resets") {
                var duration = Duration.zero
                for _ in 0..<rounds {
                    try await fill(store)
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

    /// Makes one customer with one purchase, without HTTP.
    private static func fill(_ store: BenchmarkStore) async throws {
        let credentials = DeviceCredentials(
            identifier: String(repeating: "5e", count: 16), secret: String(repeating: "5e", count: 32))
        let account = try await OpeningTestAccount(store.context)(
            email: "anna@example.com", storefront: "USA", device: DeviceIdentifier(credentials.identifier),
            secret: credentials.secret)
        let asked = try await LocalStoreConnection(store.service).call(
            PaymentCall(
                requestIdentifier: "1", bundleIdentifier: BenchmarkStore.app,
                productIdentifier: BenchmarkStore.product, quantity: 1),
            as: credentials)
        guard let token = asked.sheet?.split(separator: "/").last else {
            throw BenchmarkFailure("The purchase has no sheet.")
        }
        _ = try await store.service.buy(onSheet: String(token), as: account, shown: nil)
        guard try await store.books.purchases == 1 else { throw BenchmarkFailure("The purchase wasn't made.") }
    }
}
