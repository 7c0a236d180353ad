// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// The plan by which an engine runs a statement.
package struct StatementPlan: Sendable {
    /// One line per step.
    package var steps: [String]

    package init(
        _ sql: String, _ arguments: [any DatabaseValueConvertible], on engine: Engine, _ connection: any Connection
    ) throws {
        steps =
            engine.isPostgreSQL
            ? try connection.rows("EXPLAIN \(sql)", arguments).map { try $0.get("QUERY PLAN") }
            : try connection.rows("EXPLAIN QUERY PLAN \(sql)", arguments).map { try $0.get("detail") }
    }

    /// The tables of the list that the statement reads as a whole.
    ///
    /// SQLite's plan has `SCAN table` for that, with an index as well, and
    /// `SEARCH` for a look-up. PostgreSQL's has `Seq Scan on table`; reading
    /// a whole index is a scan of it without an `Index Cond`.
    package func scanned(of tables: [String]) -> [String] {
        tables.filter { table in
            steps.indices.contains { step in
                let words = steps[step].split(separator: " ").map(String.init)
                if words.starts(with: ["SCAN", table]) { return true }
                guard let place = words.firstIndex(of: "on"), place + 1 < words.count, words[place + 1] == table,
                    words.contains("Scan")
                else { return false }
                if words.contains("Seq") { return true }
                let isOfIndex = words.contains("Index") && !words.contains("Bitmap")
                return isOfIndex && !(step + 1 < steps.count && steps[step + 1].contains("Index Cond:"))
            }
        }
    }
}
