// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// The effect of group commit: a purchase takes several durable commits in
/// sequence, but many customers together may approach the rate of single
/// commits. The limits of the same shape are the purchases' own statements
/// without HTTP and use cases.
struct PurchasesRow: Row {
    static let name = "purchases"
    static let summary =
        "durable purchases through HTTP, by 32 concurrent customers, against one-row commits of SQLite's C interface "
        + "on one connection (WAL, synchronous = FULL) to the same disk, beside the purchases' own statements, "
        + "replayed through the C interface with a commit for each write, and with one for 32 writes"

    private static let customers = 32
    private static let purchasesEach = 25
    private static let commits = 2000

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            let raw = try RawSQLite(path: folder.appending(path: "raw.sqlite").path)
            return try await withServer(store.server) { port in
                let purchases = try await Purchases(by: customers, each: purchasesEach, in: store, at: port)
                let replay = try await SQLiteReplay(of: store, in: folder, operations: customers * purchasesEach) {
                    try await purchases.buy()
                }
                let comparison = try await Comparison(
                    purchases.side, against: Side("commits", operations: commits) { try raw.commit(times: commits) },
                    beside: [
                        ("their statements alone:", replay.side(writesPerCommit: 1)),
                        ("their statements alone, 32 writes a commit:", replay.side(writesPerCommit: customers)),
                    ])
                try await purchases.check()
                return comparison
            }
        }
    }
}
