// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreService

/// The rate at which a store renews subscriptions that are due at the same
/// time, as after a night in which it was down.
struct RenewalsRow: Row {
    static let name = "renewals"
    static let summary =
        "renewals of 200 monthly subscriptions that are due at the same time, each from its charge to the unfinished "
        + "transaction, against their own statements alone, replayed through SQLite's C interface with a commit for "
        + "each write, beside one with a commit for 8 writes"

    private static let customers = 200
    /// The accounts that the service renews at the same time.
    private static let width = 8

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            let subscribers = try await Subscribers(customers, of: store)
            try await subscribers.passMonth()
            let replay = try await SQLiteReplay(of: store, in: folder, "renewals", operations: customers) {
                await store.service.renewSubscriptions()
            }
            let comparison = try await Comparison(
                side(of: subscribers), against: replay.side(writesPerCommit: 1),
                beside: [("their statements alone, 8 writes a commit:", replay.side(writesPerCommit: width))])
            // The recorded renewals and the round that isn't counted are two
            // more.
            try await subscribers.expect(renewals: (2 + Comparison.rounds) * customers)
            return comparison
        }
    }

    /// The renewals of a month. Only they are timed, not the passing of the
    /// month.
    private static func side(of subscribers: Subscribers) -> Side {
        Side("renewals", each: customers) {
            try await subscribers.passMonth()
            let duration = await ContinuousClock().measure { await subscribers.store.service.renewSubscriptions() }
            return Double(customers) / (duration / .seconds(1))
        }.spending(in: subscribers.store)
    }
}
