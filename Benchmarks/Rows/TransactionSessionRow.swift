// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest

/// The cost of a session in which a test uses StoreKit 2.
struct TransactionSessionRow: Row {
    static let name = "session-transactions"
    static let summary =
        "sessions of StoreKitTest in which the app reads Transaction.currentEntitlements, against sessions of which it "
        + "uses nothing"

    private static let sessions = 50

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "Fruit.storekit")
            try Data(BenchmarkStore.catalogue.utf8).write(to: file)
            var comparison = try await Comparison(
                Side("sessions", operations: sessions) {
                    for _ in 0..<sessions { try await read(SKTestSession(contentsOf: file)) }
                },
                against: Side("sessions", operations: sessions) {
                    for _ in 0..<sessions { _ = try SKTestSession(contentsOf: file) }
                })
            comparison.notes.append("\((10_000 / comparison.measured).rounded() / 10) ms a session")
            return comparison
        }
    }

    private static func read(_ session: SKTestSession) async throws {
        for await transaction in StoreKit.Transaction.currentEntitlements {
            throw BenchmarkFailure("A new session has \(transaction).")
        }
        guard session.allTransactions().isEmpty else { throw BenchmarkFailure("A new session has transactions.") }
    }
}
