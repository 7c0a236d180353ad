// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// Adapts GRDB's connection to ``Connection``.
final class SQLiteConnection: Connection {
    enum Access { case read, write }

    private let database: GRDB.Database
    private let access: Access
    private let errors: SQLiteErrors
    private let texts: StatementTexts

    /// The error after which SQLite undid the whole transaction.
    private(set) var failure: DatabaseError?

    init(_ database: GRDB.Database, access: Access, errors: SQLiteErrors, texts: StatementTexts) {
        self.database = database
        self.access = access
        self.errors = errors
        self.texts = texts
    }

    func run(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Int {
        try perform(sql, arguments) { statement, text in
            let before = database.totalChangesCount
            while try statement.step(database) {}
            // The columns of kept statements may be others now.
            if text.changesSchema { database.clearSchemaCache() }
            // `changesCount` belongs to the last INSERT, UPDATE or DELETE,
            // which isn't this statement when the total is unchanged.
            return database.totalChangesCount == before ? 0 : database.changesCount
        }
    }

    func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
        try perform(sql, arguments) { statement, _ in
            var rows: [Row] = []
            var columns: [String] = []
            while try statement.step(database) {
                if rows.isEmpty { columns = statement.names }
                rows.append(Row(columns: columns, values: try statement.values(columns)))
            }
            return rows
        }
    }

    private func perform<T>(
        _ sql: String, _ arguments: [any DatabaseValueConvertible],
        _ body: (GRDB.Statement, StatementText) throws -> T
    ) throws -> T {
        let (text, isKept) = texts.text(of: sql)
        // Without the transaction, SQLite would commit each further statement
        // of the closure on its own.
        if let failure { throw failure }
        guard text.parameterCount == arguments.count else {
            throw DatabaseError(.other, "\(arguments.count) arguments were given to the statement: \(sql)")
        }
        do {
            let statement = try isKept ? database.cachedStatement(sql: sql) : database.makeStatement(sql: sql)
            // A kept statement holds the bytes of its last arguments until they are cleared.
            defer {
                sqlite3_reset(statement.sqliteStatement)
                sqlite3_clear_bindings(statement.sqliteStatement)
            }
            try statement.bind(arguments, for: text)
            return try body(statement, text)
        } catch {
            let mapped = errors.map(error, access: access, in: database)
            if !database.isInsideTransaction { failure = mapped as? DatabaseError ?? errors.lostTransaction }
            throw mapped
        }
    }
}
