// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The time from an app's launch until it receives the first of many
/// unfinished purchases, and the memory until it has received all.
struct LaunchRow: Row {
    static let name = "launch"
    static let summary =
        "launches with 10,000 unfinished purchases until the first are delivered, against reading those rows "
        + "from SQLite; 0.333 is three times as long"

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let queue = try await UnfinishedQueue(in: folder)
            var comparison = try await Comparison(
                Side("launches", operations: 1) { try await queue.launch() },
                against: Side("readings", operations: 1) {
                    let rows = try RawSQLite.read(table: "entry", of: queue.journal.path)
                    guard rows == UnfinishedQueue.count else {
                        throw BenchmarkFailure("The journal has \(rows) entries, not \(UnfinishedQueue.count).")
                    }
                })
            let memory = try queue.memoryOfLaunch()
            comparison.notes.append("\(Int(memory.rounded(.up))) MB at most until all are delivered")
            return comparison
        }
    }
}
