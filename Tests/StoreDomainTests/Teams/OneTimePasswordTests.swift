// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreDomain

/// Codes of authenticator apps. `Tests/Processes/test_connect.py` compares them
/// with those of pyotp.
struct OneTimePasswordTests {
    /// RFC 6238, appendix B.
    private static let secret = OneTimePassword(secret: Data("12345678901234567890".utf8))
    private static let vectors: [(seconds: Int64, code: String)] = [
        (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
        (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ]

    @Test("The codes are those of RFC 6238", arguments: Self.vectors.indices)
    func published(index: Int) {
        let vector = Self.vectors[index]
        let now = WallTime(milliseconds: vector.seconds * 1000)
        #expect(Self.secret.code(step: OneTimePassword.step(at: now)) == vector.code)
    }

    @Test("The codes of the periods beside the present one count, others don't, and none counts twice")
    func periods() {
        let now = WallTime(milliseconds: 1_767_323_045_000)
        let present = OneTimePassword.step(at: now)
        for distance in -3...3 {
            let code = Self.secret.code(step: present + Int64(distance))
            let step = Self.secret.step(of: code, after: 0, now: now)
            #expect(step == (abs(distance) <= 1 ? present + Int64(distance) : nil))
            #expect(Self.secret.step(of: code, after: present + 1, now: now) == nil)
        }
        #expect(Self.secret.step(of: "", after: 0, now: now) == nil)
        #expect(Self.secret.step(of: Self.secret.code(step: present), after: present, now: now) == nil)
    }

    @Test("The secret is Base32, also in the address for an app, whose texts are encoded")
    func address() throws {
        #expect(Self.secret.text == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")
        let address = Self.secret.address(for: "anna+1@example.com", issuer: "Connect \"A&B\" é")
        #expect(address.hasPrefix("otpauth://totp/Connect%20%22A%26B%22%20%C3%A9:anna%2B1%40example.com?secret=GEZDG"))
        #expect(URL(string: address) != nil)
        #expect(OneTimePassword(secret: Data([0xFF])).text == "74")
    }

    @Test("A recovery code is read without regard to capitals, spaces and hyphens")
    func recoveryCodes() {
        let code = RecoveryCode(Data((0..<10).map { UInt8($0 * 3) }))
        #expect(code.text.count == 11 && code.text.split(separator: "-").count == 2)
        let typed = " " + code.text.uppercased().replacing("-", with: " ")
        #expect(RecoveryCode(text: typed).hash == code.hash)
        #expect(RecoveryCode(text: String(code.text.dropLast())).hash != code.hash)
    }
}
