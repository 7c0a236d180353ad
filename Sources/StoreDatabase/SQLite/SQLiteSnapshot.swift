// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Runs closures that read, each in a transaction of its own.
///
/// GRDB's own reads begin and end a transaction by functions that compile the statement each time. They take a tenth of
/// the time of a short read.
struct SQLiteSnapshot: Sendable {
    /// Whether the one connection writes too: it refuses to while it reads.
    let isInMemory: Bool
    let errors: SQLiteErrors
    let texts: StatementTexts
    let scope: ClosureScope

    func read<T>(_ database: GRDB.Database, _ body: (any Connection) throws -> T) throws -> T {
        // Nothing was changed: the end of the transaction is the same for a value and for an error. If it fails, GRDB
        // detects the open transaction and ends the process.
        defer {
            if database.isInsideTransaction { try? database.command("COMMIT") }
            if isInMemory { try? database.command("PRAGMA query_only = 0") }
        }
        if isInMemory { try database.command("PRAGMA query_only = 1") }
        try database.command("BEGIN DEFERRED")
        let connection = SQLiteConnection(database, access: .read, errors: errors, texts: texts)
        return try scope.run { try body(connection) }
    }
}
