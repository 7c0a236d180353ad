// SPDX-License-Identifier: Apache-2.0

/// A JSON value in a signed payload.
///
/// Payloads are kept whole, so that fields without a property are not lost.
/// Numbers keep their text, because neither a 64-bit integer nor a
/// floating-point number can hold every number in JSON.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number's text, such as `1697679936049.7297`.
    case number(String)
    /// A string.
    case string(String)
    /// An array of values.
    case array([JSONValue])
    /// Values by name, without an order.
    case object([String: JSONValue])
}

extension JSONValue {
    /// The value as JSON without spaces, with names in order of their bytes.
    public var encoded: String { String(decoding: encodedBytes, as: UTF8.self) }

    var encodedBytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .string(let text): Self.append(text, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            let names = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            for (index, name) in names.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                members[name]?.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Escapes only the characters that must be escaped (RFC 8259, section
    /// 7).
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(contentsOf: [byte].hexadecimalDigits.utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
