// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A value of a column or of a statement's parameter.
///
/// There are four kinds because both engines have these four. All other types
/// (instants, booleans, money) are stored as one of them.
public enum DatabaseValue: Sendable, Hashable {
    /// SQL's `NULL`.
    case null
    /// A `BIGINT`.
    case integer(Int64)
    /// A `TEXT`.
    case text(String)
    /// A `blob`.
    case blob(Data)
}

extension DatabaseValue {
    /// The kind in words, for messages that must not contain the value itself.
    var kind: String {
        switch self {
        case .null: "NULL"
        case .integer: "an integer"
        case .text: "text"
        case .blob: "a blob"
        }
    }
}
