// SPDX-License-Identifier: Apache-2.0

/// The identifier octet of an element: class, form and number (X.690, 8.1.2).
///
/// Numbers from 31 on take more octets. No element that is read or written
/// here has one.
struct DERTag: Hashable, Sendable {
    let octet: UInt8

    static let integer = DERTag(octet: 0x02)
    static let octetString = DERTag(octet: 0x04)
    static let objectIdentifier = DERTag(octet: 0x06)
    static let utf8String = DERTag(octet: 0x0C)
    static let ia5String = DERTag(octet: 0x16)
    static let sequence = DERTag(octet: 0x30)
    static let set = DERTag(octet: 0x31)

    /// `[number]`, in constructed form.
    static func context(_ number: UInt8) -> DERTag { DERTag(octet: 0xA0 | number) }

    /// The bit that marks an element as constructed: it contains other
    /// elements.
    static let constructedBit: UInt8 = 0x20

    /// The same tag in constructed form, which BER allows for a string in
    /// parts (X.690, 8.7.3 and 8.21).
    var inParts: DERTag { DERTag(octet: octet | Self.constructedBit) }
}

extension DERTag: CustomStringConvertible {
    /// Two hexadecimal digits.
    var description: String { [octet].hexadecimalDigits.uppercased() }
}
