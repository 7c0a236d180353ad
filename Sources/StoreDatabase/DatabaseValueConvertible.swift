// SPDX-License-Identifier: Apache-2.0

/// A type that is stored in one column.
///
/// A domain type conforms through the type that it is stored as:
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
    /// The value to write into the column.
    var databaseValue: DatabaseValue { get }

    /// Makes an instance from the value of a column.
    ///
    /// - Throws: ``DatabaseError`` with code `column` when the column holds
    ///   another kind of value. ``Row/get(_:)`` adds the column's name.
    init(databaseValue: DatabaseValue) throws
}
