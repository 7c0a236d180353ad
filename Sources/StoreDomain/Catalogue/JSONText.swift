// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON value as it is written in a file: with the order of its keys and
/// the source text of its strings and numbers.
///
/// `JSONSerialization` loses both, so that a file that it has read and
/// written differs from the original in every second line.
enum JSONText: Hashable, Sendable {
    case object([Member])
    case array([JSONText])
    /// A string, a number, `true`, `false` or `null` in its source text.
    case scalar(String)

    /// A key of an object with its value.
    struct Member: Hashable, Sendable {
        /// The key in its source text, with quotation marks.
        var key: String
        var value: JSONText
    }

    static func string(_ text: String) -> JSONText { .scalar(literal(text)) }

    /// An object with these members, in the order of their keys.
    static func sorted(_ members: [String: JSONText]) -> JSONText {
        .object(members.sorted { $0.key < $1.key }.map { Member(key: literal($0.key), value: $0.value) })
    }

    /// The text of a string; `nil` for every other value.
    var string: String? {
        if case .scalar(let source) = self { Self.text(of: source) } else { nil }
    }

    /// The elements of a list; none for every other value.
    var elements: [JSONText] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The value of a key; `nil` when it is missing. A key that is there
    /// twice has the last value, as in `JSONSerialization`.
    ///
    /// A new key is inserted before the first one that is greater, because
    /// Xcode sorts the keys.
    subscript(key: String) -> JSONText? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.last { Self.text(of: $0.key) == key }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            let place = members.lastIndex { Self.text(of: $0.key) == key }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (nil, let value?):
                let next = members.firstIndex { (Self.text(of: $0.key) ?? "") > key } ?? members.endIndex
                members.insert(Member(key: Self.literal(key), value: value), at: next)
            case (_, nil): members.removeAll { Self.text(of: $0.key) == key }
            }
            self = .object(members)
        }
    }

    private static func text(of source: String) -> String? {
        guard source.first == "\"" else { return nil }
        guard source.utf8.contains(UInt8(ascii: "\\")) else { return String(source.dropFirst().dropLast()) }
        return try? JSONSerialization.jsonObject(with: Data(source.utf8), options: .fragmentsAllowed) as? String
    }

    private static func literal(_ text: String) -> String {
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .withoutEscapingSlashes]
        let data = try? JSONSerialization.data(withJSONObject: text, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
