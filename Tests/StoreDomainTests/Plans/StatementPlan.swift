// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport

/// How an engine means to run a statement.
struct StatementPlan {
    /// One line a step.
    var steps: [String]

    init(_ sql: String, _ arguments: [any DatabaseValueConvertible], on engine: Engine, _ connection: any Connection)
        throws
    {
        steps =
            engine.isPostgreSQL
            ? try connection.rows("EXPLAIN \(sql)", arguments).map { try $0.get("QUERY PLAN") }
            : try connection.rows("EXPLAIN QUERY PLAN \(sql)", arguments).map { try $0.get("detail") }
    }

    /// The growing tables that the statement reads from one end to the other.
    ///
    /// SQLite says `SCAN table` for that, with an index as well, where it says
    /// `SEARCH` for a look-up. PostgreSQL says `Seq Scan on table`; going
    /// through a whole index is a scan of it without an `Index Cond`.
    func scanned(of tables: [String]) -> [String] {
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
