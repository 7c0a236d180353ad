// SPDX-License-Identifier: Apache-2.0

import GRDB

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
        try perform(sql, arguments) { statement in
            let before = database.totalChangesCount
            try statement.execute()
            // `changesCount` belongs to the last INSERT, UPDATE or DELETE,
            // which isn't this statement when the total is unchanged.
            return database.totalChangesCount == before ? 0 : database.changesCount
        }
    }

    func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
        try perform(sql, arguments) { statement in
            let columns = statement.columnNames
            var rows: [Row] = []
            try ValueCursor(statement, columns).forEach { rows.append(Row(columns: columns, values: $0)) }
            return rows
        }
    }

    private func perform<T>(
        _ sql: String, _ arguments: [any DatabaseValueConvertible], _ body: (GRDB.Statement) throws -> T
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
            try statement.bind(arguments, for: text)
            return try body(statement)
        } catch {
            let mapped = errors.map(error, access: access, in: database)
            if !database.isInsideTransaction { failure = mapped as? DatabaseError ?? errors.lostTransaction }
            throw mapped
        }
    }
}
