// SPDX-License-Identifier: Apache-2.0

/// One row of a result: a value type, free of the connection it came from.
public struct Row: Sendable {
    /// The names of the result's columns, in the statement's order.
    public let columns: [String]

    private let values: [DatabaseValue]

    /// Makes a row with one value for each column; the engines call it.
    package init(columns: [String], values: [DatabaseValue]) {
        self.columns = columns
        self.values = values
    }

    /// Returns the value of a column as the type that the caller expects.
    ///
    /// ```swift
    /// let name: String = try row.get("name")
    /// let refunded: Int64? = try row.get("refunded")
    /// ```
    ///
    /// If several columns have the same name, the first one is returned.
    ///
    /// - Throws: ``DatabaseError`` with code `column`, naming the column, when
    ///   there is no such column or it holds another kind of value.
    public func get<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        // Rows have few columns: a linear search is faster than a hash table.
        guard let index = columns.firstIndex(of: column) else {
            let known = columns.joined(separator: ", ")
            throw DatabaseError(.column, "The result has no column \"\(column)\"; it has \(known).")
        }
        do {
            return try Value(databaseValue: values[index])
        } catch let error as DatabaseError where error.code == .column {
            throw DatabaseError(.column, "The column \"\(column)\" \(error.message).")
        }
    }
}
