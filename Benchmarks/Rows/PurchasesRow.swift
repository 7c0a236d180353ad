// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What group commit is for: a purchase takes several durable commits, one
/// after the other, and yet many customers together may come near the rate of
/// single commits.
struct PurchasesRow: Row {
    static let name = "purchases"
    static let summary =
        "durable purchases through HTTP, by 32 customers at once, against one-row commits of SQLite's C interface "
        + "on one connection (WAL, synchronous = FULL) to the same disk"

    private static let count = 32
    private static let purchasesEach = 25
    private static let commits = 2000

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            let raw = try RawSQLite(path: folder.appending(path: "raw.sqlite").path)
            return try await withServer(store.server) { port in try await compare(store, at: port, raw) }
        }
    }

    private static func compare(_ store: BenchmarkStore, at port: Int, _ raw: RawSQLite) async throws -> Comparison {
        var opened: [Customer] = []
        for number in 0..<count { opened.append(try await Customer(number, of: store)) }
        let customers = opened
        // A password is typed once: scrypt is slow on purpose.
        let cookies = try await onThreads(customers.count) { index in
            let connection = try HTTPConnection(port: port)
            return try customers[index].signInBuying(over: connection)
        }
        var round = 0
        let measured = Side("purchases", operations: customers.count * purchasesEach) {
            round += 1
            let prefix = "round-\(round)"
            try await onThreads(customers.count) { index in
                let connection = try HTTPConnection(port: port)
                for number in 0..<purchasesEach {
                    try customers[index].buy(
                        request: "\(prefix)-\(number)", cookie: cookies[index], over: connection)
                }
            }
        }
        let limit = Side("commits", operations: commits) { try raw.commit(times: commits) }
        let comparison = try await Comparison(measured, against: limit)
        try await store.expect(purchases: customers.count * (1 + round * purchasesEach))
        return comparison
    }
}
