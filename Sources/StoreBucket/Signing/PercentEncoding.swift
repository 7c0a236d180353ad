// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text in the encoding that signatures are computed from: every byte
    /// but the unreserved ones of RFC 3986 (section 2.3) is `%` and two
    /// capital hexadecimal digits. A path keeps its slashes.
    func percentEncoded(keepingSlashes: Bool = false) -> String {
        var encoded = ""
        encoded.reserveCapacity(utf8.count)
        for byte in utf8 {
            if byte.isUnreserved || keepingSlashes && byte == UInt8(ascii: "/") {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += byte < 16 ? "%0" : "%"
                encoded += String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}

extension UInt8 {
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
