// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ListSorting {
    /// The condition of the rows after a place, whose values are the parameters
    /// from a number on: ``arguments(after:)``.
    func condition(from number: Int) -> String {
        switch key {
        case .identifier: "\(identifier) > $\(number)"
        case .text(let column):
            // SQLite finds the place in the index by the first comparison: it doesn't do so for a pair with an
            // expression.
            """
            lower(\(column)) >= lower($\(number))
                AND (lower(\(column)), \(identifier)) > (lower($\(number)), $\(number + 1))
            """
        case .newest(let column): "(\(column), \(identifier)) < ($\(number), $\(number + 1))"
        }
    }

    /// The terms of `ORDER BY`.
    var terms: String {
        switch key {
        case .identifier: identifier
        case .text(let column): "lower(\(column)), \(identifier)"
        case .newest(let column): "\(column) DESC, \(identifier) DESC"
        }
    }

    /// The parameters of ``condition(from:)``; without a place those of the
    /// beginning of the list.
    func arguments(after place: ListPlace?) -> [any DatabaseValueConvertible] {
        let text = place?.identifier ?? ""
        let identifier: any DatabaseValueConvertible = isNumber ? Int64(text) ?? 0 : text
        return switch (key, place?.key) {
        case (.identifier, _): [identifier]
        case (.text, .text(let value)): [value, identifier]
        case (.text, _): ["", identifier]
        case (.newest, .moment(let milliseconds)): [milliseconds, identifier]
        case (.newest, _): [Int64.max, identifier]
        }
    }

    /// The place of a row that has the columns.
    func place(_ row: Row) throws -> ListPlace {
        let text: String
        if isNumber {
            let number: Int64 = try row.get(identifier)
            text = String(number)
        } else {
            text = try row.get(identifier)
        }
        return switch key {
        case .identifier: ListPlace(identifier: text)
        case .text(let column): ListPlace(.text(try row.get(column)), identifier: text)
        case .newest(let column): ListPlace(.moment(try row.get(column)), identifier: text)
        }
    }
}
