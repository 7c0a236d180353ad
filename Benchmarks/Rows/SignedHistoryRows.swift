// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The time to read the whole history by StoreKit 2.
struct AllTransactionsRow: Row {
    static let name = "transactions-all"
    static let summary =
        "transactions of Transaction.all in an app that has just been launched, 10,000 of them, each verified, against "
        + "SQLite, which reads the same rows; also a second reading, and the signatures alone"

    static func compare() async throws -> Comparison { try await SignedHistories.compare(.all) }
}

/// The time to read the products that the customer owns by StoreKit 2.
struct EntitlementsRow: Row {
    static let name = "transactions-owned"
    static let summary =
        "transactions of Transaction.currentEntitlements in an app that has just been launched, 10,000 of them, each "
        + "verified, against SQLite, which reads the same rows; also a second reading, and the signatures alone"

    static func compare() async throws -> Comparison { try await SignedHistories.compare(.entitlements) }
}

private enum SignedHistories {
    static func compare(_ list: SignedHistory.List) async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            let history = try await withServer(store.server) { try await SignedHistory(store, port: $0, in: folder) }
            let count = Double(SignedHistory.transactions)
            let last = Last()
            var comparison = try await Comparison(
                Side("transactions", each: SignedHistory.transactions) {
                    last.taken = try await history.read(list)
                    return count / (last.taken?.first ?? .infinity)
                },
                against: Side("rows", operations: SignedHistory.transactions) {
                    let rows = try RawSQLite.read(table: "signed_transaction", of: history.journal.path)
                    guard rows == SignedHistory.transactions else { throw BenchmarkFailure("SQLite has \(rows) rows.") }
                },
                beside: [
                    ("a second reading", Side("transactions") { count / (last.taken?.second ?? .infinity) }),
                    ("swift-crypto's own", SwiftCryptoSpeed.verifyingP256()),
                ])
            let megabytes = try Double(Data(contentsOf: history.journal).count) / 1_048_576
            comparison.notes.append(
                "\(last.taken?.memory ?? 0) KiB in the app, of a journal of \(Int(megabytes.rounded())) MiB")
            return comparison
        }
    }

    /// The last launch's numbers, whose second reading is another side of the
    /// row.
    private final class Last {
        var taken: SignedHistory.Taken?
    }
}
