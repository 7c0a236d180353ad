// SPDX-License-Identifier: Apache-2.0

import AppReceipts

extension JSONValue {
    /// The first place at which a value isn't the expected one; `nil` if there
    /// is none.
    ///
    /// An object may have more fields than the expected one, and an expected
    /// `null` also stands for a field that is absent. Lists have the same
    /// length.
    func difference(from expected: JSONValue, at place: String = "") -> String? {
        switch (self, expected) {
        case (.object(let fields), .object(let others)):
            return others.sorted { $0.key < $1.key }.lazy.compactMap { key, other in
                (fields[key] ?? .null).difference(from: other, at: place.isEmpty ? key : "\(place).\(key)")
            }.first
        case (.array(let values), .array(let others)):
            guard values.count == others.count else {
                return "\(Self.name(place)) has \(values.count) elements instead of \(others.count): \(encoded)"
            }
            return zip(values, others).enumerated().lazy.compactMap { index, pair in
                pair.0.difference(from: pair.1, at: "\(place)[\(index)]")
            }.first
        default:
            return self == expected ? nil : "\(Self.name(place)) is \(encoded) instead of \(expected.encoded)"
        }
    }

    private static func name(_ place: String) -> String { place.isEmpty ? "the answer" : place }
}
