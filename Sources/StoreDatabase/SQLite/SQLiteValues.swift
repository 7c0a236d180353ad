// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

extension StatementArguments {
    /// Binds the arguments by name: SQLite treats `$1` as a *named* parameter,
    /// whose position is the order of its first appearance, not its number.
    init(numbered arguments: [any DatabaseValueConvertible]) throws {
        let named: [(String, (any GRDB.DatabaseValueConvertible)?)] = try zip(1..., arguments).map {
            (String($0), try $1.databaseValue.sqlite)
        }
        self.init(named)
    }
}

extension DatabaseValue {
    /// The value that GRDB binds. `.databaseValue` would select GRDB's
    /// conversion to JSON here, because this module's property of that name
    /// hides GRDB's plain conversion.
    fileprivate var sqlite: (any GRDB.DatabaseValueConvertible)? {
        get throws {
            switch self {
            case .null: return nil
            case .integer(let integer): return integer
            case .text(let text):
                // GRDB reads text up to the NUL, which would make two
                // different strings equal. PostgreSQL rejects such text, too.
                guard !text.utf8.contains(0) else {
                    throw DatabaseError(.value, "Text with a NUL character can't be stored.")
                }
                return text
            case .blob(let data):
                // GRDB binds the address of the bytes. An empty `Data` has
                // none, and SQLite would store NULL; one with a capacity has
                // an address.
                return data.isEmpty ? Data(capacity: 1) : data
            }
        }
    }

    init(_ value: GRDB.DatabaseValue, column: String) throws {
        switch value.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .string(let text): self = .text(text)
        case .blob(let data): self = .blob(data)
        case .double:
            throw DatabaseError(.column, "The column \"\(column)\" holds a fraction; store a count of smaller units.")
        }
    }
}
