// SPDX-License-Identifier: Apache-2.0

/// An International Bank Account Number (ISO 13616), whose check digits are
/// right.
package struct IBAN: Hashable, Sendable {
    /// Capital letters and digits without spaces.
    package let text: String

    /// Reads an IBAN with spaces or without.
    ///
    /// The length of each country's IBANs isn't checked: a bank refuses one of
    /// another length. The check digits of ISO 7064 (MOD 97-10) find a wrong
    /// or two exchanged characters.
    package init?(_ typed: String) {
        let text = typed.filter { !$0.isWhitespace }.uppercased()
        let bytes = Array(text.utf8)
        guard (15...34).contains(bytes.count), bytes.prefix(2).allSatisfy(Self.isLetter),
            bytes.dropFirst(2).prefix(2).allSatisfy(Self.isDigit),
            bytes.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) }), Self.remainder(of: bytes) == 1,
            // 00, 01 and 99 have the remainder of other digits, and are never given.
            let digits = Int(text.dropFirst(2).prefix(2)), (2...98).contains(digits)
        else { return nil }
        self.text = text
    }

    /// The country and the last four characters, such as `DE•••3000`.
    package var masked: String { "\(text.prefix(2))•••\(text.suffix(4))" }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The remainder by 97 of the number that the characters are, the first
    /// four at the end, with 10 to 35 for the letters.
    private static func remainder(of bytes: [UInt8]) -> Int {
        (bytes.dropFirst(4) + bytes.prefix(4)).reduce(0) { remainder, byte in
            isDigit(byte)
                ? (remainder * 10 + Int(byte - UInt8(ascii: "0"))) % 97
                : (remainder * 100 + Int(byte - UInt8(ascii: "A")) + 10) % 97
        }
    }
}
