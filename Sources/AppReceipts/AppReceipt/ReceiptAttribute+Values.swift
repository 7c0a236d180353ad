// SPDX-License-Identifier: Apache-2.0

import Foundation

// The contents of an attribute's OCTET STRING: raw octets for the opaque
// value and the device hash, another DER value for all other fields.
extension ReceiptAttribute {
    init(_ field: some RawRepresentable<Int>, octets: Data) {
        self.init(field, encoded: Array(octets))
    }

    init(_ field: some RawRepresentable<Int>, utf8 string: String) {
        self.init(field, encoded: Self.utf8(string))
    }

    init(_ field: some RawRepresentable<Int>, integer: Int64) {
        var writer = DERWriter()
        writer.integer(integer)
        self.init(field, encoded: writer.bytes)
    }

    /// A date is an IA5String in the format of RFC 3339.
    init(_ field: some RawRepresentable<Int>, date: Date) throws(AppReceiptError) {
        var writer = DERWriter()
        writer.primitive(.ia5String, try ReceiptDate.encode(date))
        self.init(field, encoded: writer.bytes)
    }

    static func utf8(_ string: String) -> [UInt8] {
        var writer = DERWriter()
        writer.primitive(.utf8String, string.utf8)
        return writer.bytes
    }
}
