// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Encodes bytes as lower-case hexadecimal text, and decodes it.
enum Hexadecimal {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes; `nil` when the text isn't lower-case hexadecimal.
    static func data(_ text: String) -> Data? {
        let values = text.utf8.map { character -> UInt8? in
            switch character {
            case 0x30...0x39: character - 0x30
            case 0x61...0x66: character - 0x61 + 10
            default: nil
            }
        }
        guard values.count.isMultiple(of: 2) else { return nil }
        var data = Data()
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            data.append(high << 4 | low)
        }
        return data
    }
}
