// SPDX-License-Identifier: Apache-2.0

public import Foundation
import X509

/// A certificate's serial number: big-endian bytes without leading zeros.
public struct SerialNumber: Hashable, Sendable {
    /// The number's bytes.
    public let bytes: Data

    /// A number with these big-endian bytes; leading zeros are dropped.
    public init(bytes: some Collection<UInt8>) {
        let significant = bytes.drop { $0 == 0 }
        self.bytes = significant.isEmpty ? Data([0]) : Data(significant)
    }

    /// Reads hexadecimal digits, with or without colons. The result is nil if
    /// there are no digits, or other characters.
    public init?(hexadecimal text: String) {
        var digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
        guard !digits.isEmpty else { return nil }
        if digits.count % 2 == 1 { digits.insert(UInt8(ascii: "0"), at: 0) }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[start..<start + 2], as: UTF8.self)
            guard !pair.hasPrefix("+"), !pair.hasPrefix("-"), let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        self.init(bytes: bytes)
    }

    init(_ serialNumber: Certificate.SerialNumber) {
        self.init(bytes: serialNumber.bytes)
    }
}

extension SerialNumber: CustomStringConvertible {
    /// The number in hexadecimal digits.
    public var description: String {
        bytes.hexadecimalDigits
    }
}

extension SerialNumber: Codable {
    /// Reads hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = SerialNumber(hexadecimal: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a serial number")
        }
        self = number
    }

    /// Writes hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
