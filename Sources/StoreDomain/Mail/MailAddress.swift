// SPDX-License-Identifier: Apache-2.0

/// An e-mail address to which the store sends messages.
///
/// It is stricter than the address of an account: it has ASCII only, no
/// quotation marks, no commas and no spaces, and doesn't begin with a hyphen. It
/// can't begin another header, name a second recipient, or be taken for an
/// option of a program.
package struct MailAddress: Hashable, Sendable {
    package let text: String

    /// RFC 5321, section 4.5.3.1.3: 256 for the path with its angle brackets.
    static let longest = 254

    /// The address of a text in the form `name@example.com`; `nil` for any
    /// other text.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest, parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
            parts[0].first != UInt8(ascii: "-"), parts[0].allSatisfy(Self.isAtom), parts[1].allSatisfy(Self.isOfDomain)
        else { return nil }
        self.text = text
    }

    /// RFC 5322, section 3.2.3: the characters of an atom, and the dot.
    private static func isAtom(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~.".utf8.contains(byte)
    }

    private static func isOfDomain(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
