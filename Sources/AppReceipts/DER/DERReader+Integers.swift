// SPDX-License-Identifier: Apache-2.0

// Integers. BER, too, requires the fewest octets for them (X.690, 8.3.2).
extension DERReader {
    /// An integer of at most 64 bits.
    mutating func integer() throws(AppReceiptError) -> Int64 {
        let octets = try integerOctets()
        guard octets.count <= 8 else { throw malformed("an integer of \(octets.count) octets") }
        var value: Int64 = octets[octets.startIndex] < 0x80 ? 0 : -1
        for octet in octets { value = value << 8 | Int64(octet) }
        return value
    }

    /// The octets of a positive integer of any length, without a leading zero.
    mutating func positiveInteger() throws(AppReceiptError) -> ArraySlice<UInt8> {
        let octets = try integerOctets()
        guard octets[octets.startIndex] < 0x80 else { throw malformed("a negative integer") }
        return octets[octets.startIndex] == 0 ? octets.dropFirst() : octets
    }

    private mutating func integerOctets() throws(AppReceiptError) -> ArraySlice<UInt8> {
        let octets = try primitive(.integer)
        guard let first = octets.first else { throw malformed("an integer of no octets") }
        if octets.count > 1 {
            let isNegative = octets[octets.startIndex + 1] >= 0x80
            guard first != (isNegative ? 0xFF : 0x00) else { throw malformed("an integer with an octet too many") }
        }
        return octets
    }
}
