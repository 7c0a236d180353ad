// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import GRDBSQLite

/// Reads the values of a result from SQLite's own functions, in the order of the columns.
///
/// GRDB's rows have copies for access by name and for conversions, which ``Row`` has too. They take most of the time of a
/// short statement.
final class ValueCursor: DatabaseCursor {
    typealias Element = [DatabaseValue]

    let _statement: Statement
    var _isDone = false
    private let columns: [String]

    /// A cursor of a statement whose arguments are bound.
    init(_ statement: Statement, _ columns: [String]) {
        _statement = statement
        self.columns = columns
    }

    deinit { sqlite3_reset(_statement.sqliteStatement) }

    func _element(sqliteStatement: SQLiteStatement) throws -> [DatabaseValue] {
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
}

extension Statement {
    /// Replaces the arguments of the last execution.
    ///
    /// SQLite treats `$1` as a *named* parameter, whose position is the order of its first appearance, not its number.
    /// Texts of which that order isn't known are bound by name, which takes longer.
    func bind(_ arguments: [any DatabaseValueConvertible], for text: StatementText) throws {
        setUncheckedArguments(StatementArguments())
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
        guard !text.utf8.contains(0) else {
            throw DatabaseError(.value, "Text with a NUL character can't be stored.")
        }
        return sqlite3_bind_text(sqliteStatement, position, text, -1, Self.copied)
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
