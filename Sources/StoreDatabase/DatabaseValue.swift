// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A value that goes into or comes out of a column.
///
/// There are four kinds because both engines have these four; everything
/// else (instants, booleans, money) is written as one of them.
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
    /// The kind in words, for messages that mustn't show the value itself.
    var kind: String {
        switch self {
        case .null: "NULL"
        case .integer: "an integer"
        case .text: "text"
        case .blob: "a blob"
        }
    }
}
