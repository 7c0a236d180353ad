// SPDX-License-Identifier: Apache-2.0

/// The columns by which a statement sorts the rows of a list.
///
/// A statement has only names of columns from the source code. The values of a
/// request are its parameters.
package struct ListSorting: Sendable {
    /// The column before the identifier.
    enum Key: Sendable {
        /// None: the identifiers are the order.
        case identifier
        /// A column of texts, in their order without upper case.
        case text(String)
        /// A column of milliseconds, the greatest first.
        case newest(String)
    }

    let key: Key
    /// The column that decides between equal values.
    let identifier: String
    /// Whether the identifier is a number.
    let isNumber: Bool

    init(_ key: Key, identifier: String, isNumber: Bool = false) {
        self.key = key
        self.identifier = identifier
        self.isNumber = isNumber
    }

    /// Whether a place is before another one, for a list that is sorted
    /// without a statement.
    func precedes(_ left: ListPlace, _ right: ListPlace) -> Bool {
        switch (left.key, right.key) {
        case (.text(let first), .text(let second)):
            (first.lowercased(), left.identifier) < (second.lowercased(), right.identifier)
        case (.moment(let first), .moment(let second)):
            (first, left.identifier) > (second, right.identifier)
        default: left.identifier < right.identifier
        }
    }
}
