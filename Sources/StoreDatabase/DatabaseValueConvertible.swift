// SPDX-License-Identifier: Apache-2.0

/// A type that is stored in one column.
///
/// A type of the domain conforms by going through the type it is stored as:
///
/// ```swift
/// extension ProductID: DatabaseValueConvertible {
///     var databaseValue: DatabaseValue { rawValue.databaseValue }
///     init(databaseValue: DatabaseValue) throws {
///         self.init(rawValue: try String(databaseValue: databaseValue))
///     }
/// }
/// ```
public protocol DatabaseValueConvertible: Sendable {
    /// What is written into the column.
    var databaseValue: DatabaseValue { get }

    /// Makes the value from what the column holds.
    ///
    /// - Throws: ``DatabaseError`` with code `column` when the column holds
    ///   something else. ``Row/get(_:)`` adds the column's name.
    init(databaseValue: DatabaseValue) throws
}
