// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

extension StatementArguments {
    /// Binds the arguments by position. SQLite treats `$1` as a *named*
    /// parameter, whose position is the order of its first appearance, not its
    /// number. Texts of which that order isn't known are bound by name, which
    /// takes longer.
    init(_ arguments: [any DatabaseValueConvertible], for text: StatementText) throws {
        let values = try arguments.map { try $0.databaseValue.sqlite }
        if let order = text.parameterOrder {
            self.init(order.map { values[$0 - 1] })
        } else {
            let named: [(String, (any GRDB.DatabaseValueConvertible)?)] = zip(1..., values).map { (String($0), $1) }
            self.init(named)
        }
    }
}

extension DatabaseValue {
    /// The value that GRDB binds.
    fileprivate var sqlite: GRDB.DatabaseValue {
        get throws {
            switch self {
            case .null: return .null
            case .integer(let integer): return Self.plain(integer)
            case .text(let text):
                // GRDB reads text up to the NUL, which would make two
                // different strings equal. PostgreSQL rejects such text, too.
                guard !text.utf8.contains(0) else {
                    throw DatabaseError(.value, "Text with a NUL character can't be stored.")
                }
                return Self.plain(text)
            case .blob(let data):
                // GRDB binds the address of the bytes. An empty `Data` has
                // none, and SQLite would store NULL; one with a capacity has
                // an address.
                return Self.plain(data.isEmpty ? Data(capacity: 1) : data)
            }
        }
    }

    /// GRDB's own conversion. This module's property of the same name hides it
    /// outside of a generic function, where GRDB's conversion to JSON would be
    /// selected.
    private static func plain(_ value: some GRDB.DatabaseValueConvertible) -> GRDB.DatabaseValue {
        value.databaseValue
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
