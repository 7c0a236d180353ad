// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import GRDBSQLite

/// Runs statements by SQLite's own functions. GRDB compiles them and keeps them; its functions for arguments and rows
/// do more than ``Row`` needs, and take most of the time of a short statement.
extension Statement {
    /// Runs the statement up to its next row.
    ///
    /// - Returns: `false` at its end.
    func step(_ database: GRDB.Database) throws -> Bool {
        let code = sqlite3_step(sqliteStatement)
        guard code != SQLITE_ROW else { return true }
        guard code == SQLITE_DONE else { throw database.failure(code, sql) }
        return false
    }

    /// The names of the columns of the current row. SQLite compiles a kept statement again when another connection has
    /// changed the schema: `SELECT *` may have other columns then.
    var names: [String] {
        let count = sqlite3_column_count(sqliteStatement)
        guard Int(count) != columnNames.count else { return columnNames }
        return (0..<count).map { String(cString: sqlite3_column_name(sqliteStatement, $0)) }
    }

    /// The values of the current row, in the order of its columns.
    func values(_ columns: [String]) throws -> [DatabaseValue] {
        var values: [DatabaseValue] = []
        values.reserveCapacity(columns.count)
        var index: CInt = 0
        for column in columns {
            values.append(try Self.value(sqliteStatement, index, column))
            index += 1
        }
        return values
    }

    private static func value(_ row: SQLiteStatement, _ index: CInt, _ column: String) throws -> DatabaseValue {
        switch sqlite3_column_type(row, index) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(row, index))
        case SQLITE_TEXT: .text(sqlite3_column_text(row, index).map { String(cString: $0) } ?? "")
        // The address of an empty value is null.
        case SQLITE_BLOB:
            .blob(
                sqlite3_column_blob(row, index).map { Data(bytes: $0, count: Int(sqlite3_column_bytes(row, index))) }
                    ?? Data())
        default:
            throw DatabaseError(.column, "The column \"\(column)\" holds a fraction; store a count of smaller units.")
        }
    }

    /// Replaces the arguments of the last execution.
    ///
    /// SQLite treats `$1` as a *named* parameter, whose position is the order of its first appearance, not its number.
    /// Texts of which that order isn't known are bound by name, which takes longer.
    func bind(_ arguments: [any DatabaseValueConvertible], for text: StatementText) throws {
        guard let order = text.parameterOrder else {
            for (number, argument) in zip(1..., arguments) {
                try bind(argument.databaseValue, at: sqlite3_bind_parameter_index(sqliteStatement, "$\(number)"))
            }
            return
        }
        var position: CInt = 1
        for number in order {
            try bind(arguments[number - 1].databaseValue, at: position)
            position += 1
        }
    }

    private func bind(_ value: DatabaseValue, at position: CInt) throws {
        let code =
            switch value {
            case .null: sqlite3_bind_null(sqliteStatement, position)
            case .integer(let integer): sqlite3_bind_int64(sqliteStatement, position, integer)
            case .text(let text): try bind(text, at: position)
            case .blob(let data): bind(data, at: position)
            }
        guard code == SQLITE_OK else { throw GRDB.DatabaseError(resultCode: ResultCode(rawValue: code), sql: sql) }
    }

    private func bind(_ text: String, at position: CInt) throws -> CInt {
        // Text is read up to the NUL, which would make two different strings equal. PostgreSQL rejects such text, too.
        try text.withCString { bytes in
            let length = strlen(bytes)
            guard length == text.utf8.count else {
                throw DatabaseError(.value, "Text with a NUL character can't be stored.")
            }
            return sqlite3_bind_text(sqliteStatement, position, bytes, CInt(length), Self.copied)
        }
    }

    private func bind(_ data: Data, at position: CInt) -> CInt {
        // An empty value has no address, and SQLite would store NULL.
        guard !data.isEmpty else { return sqlite3_bind_zeroblob(sqliteStatement, position, 0) }
        return data.withUnsafeBytes {
            sqlite3_bind_blob(sqliteStatement, position, $0.baseAddress, CInt($0.count), Self.copied)
        }
    }

    /// SQLite copies the bytes before the function returns (`SQLITE_TRANSIENT`).
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

extension GRDB.Database {
    /// Runs a statement without arguments and rows, such as one that begins or ends a transaction.
    func command(_ sql: String) throws {
        let code = sqlite3_exec(sqliteConnection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql) }
    }

    /// The error of a statement that SQLite has just refused.
    func failure(_ code: CInt, _ sql: String) -> GRDB.DatabaseError {
        GRDB.DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage, sql: sql)
    }
}
