// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation
import StoreCore

/// The secret of an authenticator app, which makes codes of six digits that
/// change every 30 seconds (TOTP, RFC 6238, with HMAC-SHA-1 as all apps expect
/// it).
package struct OneTimePassword: Hashable, Sendable {
    /// 20 bytes: the length of the hash (RFC 4226, section 4).
    package let secret: Data

    /// The number of random bytes of a new secret.
    static let secretBytes = 20
    private static let period: Int64 = 30
    private static let digits = 6
    /// The number of periods before and after the present one whose codes are
    /// accepted: the clocks of telephones differ.
    private static let skew: Int64 = 1

    package init(secret: Data) {
        self.secret = secret
    }

    /// The number of the period of a moment.
    static func step(at now: WallTime) -> Int64 { now.milliseconds / 1000 / period }

    /// The code of a period (RFC 4226, section 5.3).
    package func code(step: Int64) -> String {
        let message = withUnsafeBytes(of: step.bigEndian) { Data($0) }
        let hash = [UInt8](
            HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: secret)))
        let offset = Int(hash[hash.count - 1] & 0x0F)
        let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let code = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - code.count) + code
    }

    /// The period of a typed code; `nil` for a wrong one, and for one of a
    /// period that isn't after `last`: a code that was seen over a shoulder
    /// can't be used again.
    func step(of typed: String, after last: Int64, now: WallTime) -> Int64? {
        let typed = Data(typed.utf8)
        let present = Self.step(at: now)
        return (present - Self.skew...present + Self.skew).first { step in
            step > last && Data(code(step: step).utf8).equalsInConstantTime(typed)
        }
    }

    /// The secret as a person types it into an app: Base32 (RFC 4648, section
    /// 6) in groups of four.
    package var text: String {
        let letters = Array(base32)
        return stride(from: 0, to: letters.count, by: 4)
            .map { String(letters[$0..<min($0 + 4, letters.count)]) }.joined(separator: " ")
    }

    /// The address with which an authenticator app takes the secret.
    package func address(for email: String, issuer: String) -> String {
        func encoded(_ text: String) -> String {
            text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    String(UnicodeScalar(byte))
                default: "%" + Data([byte]).hexadecimal.uppercased()
                }
            }.joined()
        }
        return "otpauth://totp/\(encoded(issuer)):\(encoded(email))?secret=\(base32)&issuer=\(encoded(issuer))"
    }

    private var base32: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (text, bits, count) = ("", 0, 0)
        for byte in secret {
            (bits, count) = ((bits << 8 | Int(byte)) & 0xFFFF, count + 8)
            while count >= 5 {
                count -= 5
                text.append(alphabet[bits >> count & 31])
            }
        }
        if count > 0 { text.append(alphabet[bits << (5 - count) & 31]) }
        return text
    }
}
