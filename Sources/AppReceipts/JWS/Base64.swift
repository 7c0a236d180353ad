// SPDX-License-Identifier: Apache-2.0

/// Base64 in its two alphabets, strictly: one text for one sequence of bytes.
///
/// Foundation's decoder accepts bits that mean nothing in the last character,
/// and by that several texts for the same bytes; what is signed must have one.
struct Base64 {
    private let alphabet: [UInt8]
    private let values: [UInt8]
    private let isPadded: Bool

    /// RFC 4648, section 4, with padding: certificates in a JWS's header.
    static let standard = Base64("+/", isPadded: true)
    /// RFC 4648, section 5, without padding: the parts of a JWS (RFC 7515,
    /// section 2).
    static let url = Base64("-_", isPadded: false)

    private static let invalid: UInt8 = 0xFF

    private init(_ lastTwo: String, isPadded: Bool) {
        alphabet = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastTwo).utf8)
        self.isPadded = isPadded
        var values = [UInt8](repeating: Self.invalid, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    /// The bytes, or nil if the text isn't exactly what ``encode(_:)`` gives
    /// for any.
    func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let characters: [UInt8]
        if isPadded {
            guard text.count % 4 == 0 else { return nil }
            characters = Array(text.prefix { $0 != UInt8(ascii: "=") })
            let padding = text.dropFirst(characters.count)
            guard padding.allSatisfy({ $0 == UInt8(ascii: "=") }), padding.count == (4 - characters.count % 4) % 4
            else { return nil }
        } else {
            characters = Array(text)
        }
        guard characters.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3 + 2)
        var collected: UInt32 = 0
        var bits = 0
        for character in characters {
            let value = values[Int(character)]
            guard value != Self.invalid else { return nil }
            collected = collected << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: collected >> UInt32(bits)))
                collected &= 1 << UInt32(bits) - 1
            }
        }
        return collected == 0 ? bytes : nil
    }

    func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var collected: UInt32 = 0
        var bits = 0
        for byte in bytes {
            collected = collected << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(collected >> UInt32(bits)) & 0x3F])
                collected &= 1 << UInt32(bits) - 1
            }
        }
        if bits > 0 { text.append(alphabet[Int(collected << UInt32(6 - bits)) & 0x3F]) }
        while isPadded, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return text
    }

    func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encode(bytes) as [UInt8], as: UTF8.self)
    }
}
