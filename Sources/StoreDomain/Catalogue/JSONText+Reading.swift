// SPDX-License-Identifier: Apache-2.0

import Foundation

extension JSONText {
    /// Reads a file that `JSONSerialization` has accepted; `nil` for one in
    /// another encoding than UTF-8.
    init?(_ data: Data) {
        var reader = JSONTextReader(data)
        guard let value = reader.document() else { return nil }
        self = value
    }
}

/// Divides the bytes of a JSON file into values. It checks as much as it needs
/// to find their ends.
private struct JSONTextReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ data: Data) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        bytes = data.starts(with: mark) ? Array(data.dropFirst(mark.count)) : Array(data)
    }

    mutating func document() -> JSONText? {
        guard let value = value() else { return nil }
        skipSpace()
        return place == bytes.count ? value : nil
    }

    private mutating func value() -> JSONText? {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return array()
        case UInt8(ascii: "\""): return string().map(JSONText.scalar)
        default: return word().map(JSONText.scalar)
        }
    }

    private mutating func object() -> JSONText? {
        var members: [JSONText.Member] = []
        place += 1
        skipSpace()
        while next != UInt8(ascii: "}") {
            guard next == UInt8(ascii: "\""), let key = string() else { return nil }
            skipSpace()
            guard next == UInt8(ascii: ":") else { return nil }
            place += 1
            guard let value = value() else { return nil }
            members.append(JSONText.Member(key: key, value: value))
            guard skipComma(before: UInt8(ascii: "}")) else { return nil }
        }
        place += 1
        return .object(members)
    }

    private mutating func array() -> JSONText? {
        var elements: [JSONText] = []
        place += 1
        skipSpace()
        while next != UInt8(ascii: "]") {
            guard let value = value() else { return nil }
            elements.append(value)
            guard skipComma(before: UInt8(ascii: "]")) else { return nil }
        }
        place += 1
        return .array(elements)
    }

    /// The source text of a string, with its quotation marks.
    private mutating func string() -> String? {
        let start = place
        place += 1
        while let byte = next, byte != UInt8(ascii: "\"") { place += byte == UInt8(ascii: "\\") ? 2 : 1 }
        guard next != nil else { return nil }
        place += 1
        return String(validating: bytes[start..<place], as: UTF8.self)
    }

    /// The source text of a number, `true`, `false` or `null`.
    private mutating func word() -> String? {
        let start = place
        while let byte = next, (0x2B...0x7A).contains(byte), !",:[]{}".utf8.contains(byte) { place += 1 }
        return place > start ? String(validating: bytes[start..<place], as: UTF8.self) : nil
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
    }

    /// Skips a comma; false when neither it nor the end follows.
    private mutating func skipComma(before end: UInt8) -> Bool {
        skipSpace()
        if next == UInt8(ascii: ",") {
            place += 1
            skipSpace()
            return next != nil
        }
        return next == end
    }
}
