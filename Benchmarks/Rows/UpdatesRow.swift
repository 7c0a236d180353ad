// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The time from a purchase's commit to `Transaction.updates`.
struct UpdatesRow: Row {
    static let name = "transactions-updates"
    static let summary =
        "purchases from elsewhere until a listener of Transaction.updates in another process has the signed "
        + "transaction, one at a time, against an observer of SKPaymentQueue, which needs no signed transaction"

    private static let purchases = 20

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            return try await withServer(store.server) { port in
                let listener = try await ListeningApp(.transactions, number: 1, of: store, at: port, in: folder)
                defer { listener.end() }
                let observer = try await ListeningApp(.queue, number: 2, of: store, at: port, in: folder)
                defer { observer.end() }
                var comparison = try await Comparison(
                    Side("updates", each: purchases) { try await rate(listener) },
                    against: Side("updates", each: purchases) { try await rate(observer) })
                comparison.notes.append("\((10_000 / comparison.measured).rounded() / 10) ms an update")
                return comparison
            }
        }
    }

    private static func rate(_ app: ListeningApp) async throws -> Double {
        var time = Duration.zero
        for _ in 0..<purchases { time += try await app.receive() }
        return Double(purchases) / (time / .seconds(1))
    }
}
