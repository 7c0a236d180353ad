// SPDX-License-Identifier: Apache-2.0

/// Base64 in its two alphabets, with exactly one text for each sequence of
/// bytes.
///
/// Foundation's decoder ignores the unused bits of the last character, so it
/// accepts several texts for the same bytes. Signed data must have only one
/// text.
package struct Base64 {
    private let alphabet: [UInt8]
    private let values: [UInt8]
    private let isPadded: Bool

    /// RFC 4648, section 4, with padding: certificates in a JWS's header.
    package static let standard = Base64("+/", isPadded: true)
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

    /// The bytes, or nil if ``encode(_:)`` doesn't produce the text for any
    /// bytes. With `ignoringUnusedBits` the unused bits of the last character
    /// may have any value.
    package func decode(_ text: some Collection<UInt8>, ignoringUnusedBits: Bool = false) -> [UInt8]? {
        var characters = Array(text)
        if isPadded {
            guard characters.count.isMultiple(of: 4) else { return nil }
            for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        }
        let rest = characters.count % 4
        guard rest != 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: characters.count * 3 / 4)
        // Only `invalid` has the highest bit.
        var seen: UInt8 = 0
        func value(_ index: Int) -> UInt32 {
            let value = values[Int(characters[index])]
            seen |= value
            return UInt32(value)
        }
        var place = 0
        for index in stride(from: 0, to: characters.count - rest, by: 4) {
            let group = value(index) << 18 | value(index + 1) << 12 | value(index + 2) << 6 | value(index + 3)
            bytes[place] = UInt8(truncatingIfNeeded: group >> 16)
            bytes[place + 1] = UInt8(truncatingIfNeeded: group >> 8)
            bytes[place + 2] = UInt8(truncatingIfNeeded: group)
            place += 3
        }
        // Two characters hold eight bits and four zeros, three hold sixteen
        // bits and two zeros.
        var collected: UInt32 = 0
        for index in characters.count - rest..<characters.count { collected = collected << 6 | value(index) }
        if rest == 2 { collected <<= 6 }
        for index in place..<bytes.count {
            bytes[index] = UInt8(truncatingIfNeeded: collected >> 10)
            collected = collected << 8 & 0x3FFFF
        }
        return seen < 0x80 && (collected == 0 || ignoringUnusedBits) ? bytes : nil
    }

    func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for index in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(bytes.count - index, 3)
            let group =
                UInt32(bytes[index]) << 16 | (count > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (count > 2 ? UInt32(bytes[index + 2]) : 0)
            text.append(alphabet[Int(group >> 18)])
            text.append(alphabet[Int(group >> 12 & 0x3F)])
            if count > 1 { text.append(alphabet[Int(group >> 6 & 0x3F)]) }
            if count > 2 { text.append(alphabet[Int(group & 0x3F)]) }
        }
        while isPadded, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return text
    }

    func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encode(bytes) as [UInt8], as: UTF8.self)
    }
}
