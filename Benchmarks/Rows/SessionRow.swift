// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreDomain
import StoreKitTest

/// The cost of a store for one test.
struct SessionRow: Row {
    static let name = "session"
    static let summary =
        "sessions of StoreKitTest, started with a configuration file and ended, against databases in memory that get "
        + "a store's tables"

    private static let sessions = 50

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "Fruit.storekit")
            try Data(BenchmarkStore.catalogue.utf8).write(to: file)
            var comparison = try await Comparison(
                Side("sessions", operations: sessions) {
                    for _ in 0..<sessions { try start(file) }
                },
                against: Side("databases", operations: sessions) {
                    for _ in 0..<sessions { try await Schema.migrate(SQLiteDatabase(.memory)) }
                })
            comparison.notes.append("\((10_000 / comparison.measured).rounded() / 10) ms a session")
            return comparison
        }
    }

    private static func start(_ file: URL) throws {
        let session = try SKTestSession(contentsOf: file)
        guard session.allTransactions().isEmpty else { throw BenchmarkFailure("A new session has transactions.") }
    }
}
