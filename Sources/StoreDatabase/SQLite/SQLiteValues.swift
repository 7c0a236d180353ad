// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

extension StatementArguments {
    /// `$1` is a *named* parameter in SQLite: a position would count in the
    /// order of first appearance, so the digits are bound as names.
    init(numbered arguments: [any DatabaseValueConvertible]) throws {
        let named: [(String, (any GRDB.DatabaseValueConvertible)?)] = try zip(1..., arguments).map {
            (String($0), try $1.databaseValue.sqlite)
        }
        self.init(named)
    }
}

extension DatabaseValue {
    /// The value for GRDB to convert. Writing `.databaseValue` here would pick
    /// GRDB's conversion to JSON, since ours hides its plain one.
    fileprivate var sqlite: (any GRDB.DatabaseValueConvertible)? {
        get throws {
            switch self {
            case .null: return nil
            case .integer(let integer): return integer
            case .text(let text):
                // GRDB reads up to the NUL, which would make two different
                // names the same; PostgreSQL refuses it too.
                guard !text.utf8.contains(0) else {
                    throw DatabaseError(.value, "Text with a NUL character can't be stored.")
                }
                return text
            case .blob(let data):
                // GRDB passes the address of the bytes on, and SQLite takes
                // the missing address of no bytes for NULL. With a capacity
                // there is an address.
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
