// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Records that a server process serves the store, and counts the other
/// processes that do. The write also shows whether the database is writable.
package struct ReportingNode: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The time after its last report during which a process counts as
    /// serving.
    static let presence: Duration = .seconds(45)

    /// A process writes only its own row. Otherwise the reports of two
    /// processes would conflict, because each counts the others' rows.
    private static func row(of node: String) -> WriteScope { .key("node \(node)") }

    /// Records that a process serves the store.
    ///
    /// - Returns: The number of other processes that serve the same
    ///   environment now.
    /// - Throws: `DatabaseError` when the database can't be written;
    ///   ``DomainError`` `schema` when its schema isn't this version's.
    package func callAsFunction(_ node: String) async throws -> Int {
        try await write(Self.row(of: node)) { db in
            guard try Schema.fits(db) else {
                throw DomainError(.schema, "The database's schema is another version's.")
            }
            try db.run(
                """
                INSERT INTO serving_node (environment, node_id, seen_at) VALUES ($1, $2, $3)
                ON CONFLICT (environment, node_id) DO UPDATE SET seen_at = excluded.seen_at
                """, [db.environment.rawValue, node, db.now.milliseconds])
            let row = try db.row(
                "SELECT count(*) AS n FROM serving_node WHERE environment = $1 AND node_id <> $2 AND seen_at > $3",
                [db.environment.rawValue, node, (now - Self.presence).milliseconds])
            return try row?.get("n") ?? 0
        }
    }

    /// Deletes the report of a process that stops.
    package func end(_ node: String) async throws {
        try await write(Self.row(of: node)) { db in
            try db.run(
                "DELETE FROM serving_node WHERE environment = $1 AND node_id = $2", [db.environment.rawValue, node])
        }
    }
}
