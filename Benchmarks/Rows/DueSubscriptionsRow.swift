// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreDomain
import StoreMeasurement

/// Whether a store with many subscriptions finds those that are due as fast
/// as one with few. Every node looks for them once a second.
struct DueSubscriptionsRow: Row {
    static let name = "due-subscriptions"
    static let summary =
        "searches for the 100 subscriptions that are due among 1,000,000, against searches for as many among 1,000, "
        + "both while another process has their leases; and the same with a commit that takes the leases, whose rows "
        + "are on as many pages"

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            var databases: [SQLiteDatabase] = []
            for name in ["large", "small"] {
                databases.append(try SQLiteDatabase(.file(folder.appending(path: "\(name).sqlite").path)))
            }
            let comparison = try await DueSubscriptions.compare(databases[0], databases[1], isPostgreSQL: false)
            for database in databases { try database.close() }
            return comparison
        }
    }
}

enum DueSubscriptions {
    /// The subscriptions that are due: as many as one statement finds.
    private static let due = 100
    private static let searches = 20
    /// The subscriptions of ``GrownStore`` are due after this time.
    private static let later: Int64 = 9_000_000_000_000

    /// Fills both databases and compares the stores on them.
    static func compare(
        _ largeDatabase: any Database, _ smallDatabase: any Database, isPostgreSQL: Bool
    ) async throws -> Comparison {
        let large = try await store(largeDatabase, with: 1_000_000, isPostgreSQL: isPostgreSQL)
        let small = try await store(smallDatabase, with: 1000, isPostgreSQL: isPostgreSQL)
        var comparison = try await Comparison(finding(in: large), against: finding(in: small))
        let leasing = try await Comparison(leasing(in: large), against: leasing(in: small))
        comparison.notes.append("with their leases: \(leasing)")
        return comparison
    }

    private static func store(
        _ database: any Database, with subscriptions: Int, isPostgreSQL: Bool
    ) async throws -> BenchmarkStore {
        let store = try await BenchmarkStore(database)
        try await GrownStore(database, isPostgreSQL: isPostgreSQL, purchases: subscriptions)
            .fill(only: ["account", "subscription"])
        // They are as far from one another as possible.
        try await database.write { connection in
            try connection.run(
                "UPDATE subscription SET due_at = due_at - $1 WHERE due_at % $2 = 0", [later, subscriptions / due])
            try connection.run("ANALYZE subscription")
        }
        return store
    }

    /// The search alone: a process that has found the subscriptions before
    /// has their leases, as between the nodes of a store.
    private static func finding(in store: BenchmarkStore) -> Side {
        Side("searches", each: searches * 10) {
            try await endLeases(in: store)
            try await search(in: store)
            try await check(store)
            let duration = try await ContinuousClock().measure {
                for _ in 0..<searches * 10 { try await search(in: store) }
            }
            return Double(searches * 10) / (duration / .seconds(1))
        }.spending(in: store)
    }

    private static func leasing(in store: BenchmarkStore) -> Side {
        Side("searches", each: searches) {
            var duration = Duration.zero
            for _ in 0..<searches {
                try await endLeases(in: store)
                duration += try await ContinuousClock().measure { try await search(in: store) }
                try await check(store)
            }
            return Double(searches) / (duration / .seconds(1))
        }.spending(in: store)
    }

    /// Takes the leases of the due subscriptions that have none. Their renewals wait, because
    /// the store can't deliver.
    private static func search(in store: BenchmarkStore) async throws {
        let renewing = RenewingSubscriptions(
            store.context, requireDeliverable: { throw BenchmarkFailure("Nothing is renewed.") })
        try await renewing()
    }

    private static func endLeases(in store: BenchmarkStore) async throws {
        try await store.engine.write { connection in
            try connection.run(
                """
                UPDATE subscription SET leased_until = 0
                WHERE environment = 'Sandbox' AND due_at < $1 AND leased_until > 0
                """, [later])
        }
    }

    /// Checks that each due subscription was found.
    private static func check(_ store: BenchmarkStore) async throws {
        let leased: Int = try await store.engine.read { connection in
            try connection.row(
                """
                SELECT count(*) AS n FROM subscription
                WHERE environment = 'Sandbox' AND due_at < $1 AND leased_until > 0
                """, [later])?.get("n") ?? 0
        }
        guard leased == due else { throw BenchmarkFailure("\(leased) due subscriptions were found, not \(due).") }
    }
}
