// SPDX-License-Identifier: Apache-2.0

/// One row of a result: a value type, free of the connection it came from.
public struct Row: Sendable {
    /// The names of the result's columns, in the statement's order.
    public let columns: [String]

    private let values: [DatabaseValue]

    /// Makes a row; an engine does. There is a value for each column.
    package init(columns: [String], values: [DatabaseValue]) {
        self.columns = columns
        self.values = values
    }

    /// The value of a column, as the type that the caller expects.
    ///
    /// ```swift
    /// let name: String = try row.get("name")
    /// let refunded: Int64? = try row.get("refunded")
    /// ```
    ///
    /// The first of several columns with the same name wins.
    ///
    /// - Throws: ``DatabaseError`` with code `column`, naming the column, when
    ///   there is no such column or it holds something else.
    public func get<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        // Rows are narrow: looking through the names is faster than a table.
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
