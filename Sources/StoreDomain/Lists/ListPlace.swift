// SPDX-License-Identifier: Apache-2.0

/// The place of an object in a list: the value by which the list is sorted, and
/// the identifier that decides between equal values.
///
/// It has the values themselves, so that the next page begins at the same place
/// when the object was removed or changed in between.
package struct ListPlace: Hashable, Sendable {
    /// The value by which a list is sorted.
    enum Key: Hashable, Sendable {
        /// Of a list that is sorted by the identifier.
        case none
        case text(String)
        /// Milliseconds.
        case moment(Int64)
    }

    var key: Key
    var identifier: String

    init(_ key: Key = .none, identifier: String) {
        self.key = key
        self.identifier = identifier
    }

    /// Reads a place from ``text``; `nil` for a text that is no place of the
    /// order.
    init?(_ text: String, in sorting: ListSorting) {
        // PostgreSQL has no texts with this character.
        guard !text.utf8.contains(0) else { return nil }
        // A point and a combining character after it are one Character.
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
            .map { Substring($0) }
        switch sorting.key {
        case .identifier: self.init(identifier: text)
        case .text:
            guard parts.count == 2, let length = Int(parts[0]), (0...parts[1].utf8.count).contains(length) else {
                return nil
            }
            self.init(
                .text(String(decoding: parts[1].utf8.prefix(length), as: UTF8.self)),
                identifier: String(decoding: parts[1].utf8.dropFirst(length), as: UTF8.self))
        case .newest:
            guard parts.count == 2, let moment = Int64(parts[0]) else { return nil }
            self.init(.moment(moment), identifier: String(parts[1]))
        }
        if sorting.isNumber, Int64(identifier) == nil { return nil }
    }

    /// The place as an address has it: the identifier alone, or the number of
    /// the value's bytes, a point, the value and the identifier, or the
    /// milliseconds, a point and the identifier.
    package var text: String {
        switch key {
        case .none: identifier
        case .text(let value): "\(value.utf8.count).\(value)\(identifier)"
        case .moment(let milliseconds): "\(milliseconds).\(identifier)"
        }
    }
}

/// An object of a list with its place.
struct PlacedEntry<Value: Sendable>: Sendable {
    var value: Value
    var place: ListPlace
}
