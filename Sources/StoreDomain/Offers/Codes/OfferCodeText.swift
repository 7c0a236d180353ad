// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation
import StoreCore

/// The text of a code, which the store doesn't keep: it has the text's hash.
package struct OfferCodeText: Hashable, Sendable {
    /// Capital letters, digits and hyphens.
    package let text: String

    /// The length of a one-time or promo code.
    package static let length = 18
    /// The lengths of a custom code, which its seller chooses.
    package static let customLengths = 4...64
    /// The number of random bytes from which the codes of a batch are derived.
    package static let seedLength = 32

    /// 32 characters without I, O, 0 and 1, which are mistaken for each other.
    private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)

    /// Reads a code as a customer types it: lower case counts as upper case,
    /// and spaces are left out. `nil` for a text that can't be a code.
    package init?(typed: String) {
        guard typed.utf8.count <= 200 else { return nil }
        let text = typed.filter { !$0.isWhitespace }.uppercased()
        guard Self.customLengths.contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
        else { return nil }
        self.text = text
    }

    /// The code of a batch with a number, from 0: the same for the same seed.
    ///
    /// Each character has five bits of one byte of an HMAC with SHA-256, so
    /// that a code has 90 random bits.
    package init(seed: Data, batch: String, number: Int) {
        let mac = HMAC<SHA256>.authenticationCode(
            for: Data("\(batch) \(number)".utf8), using: SymmetricKey(data: seed))
        text = String(decoding: Array(mac).prefix(Self.length).map { Self.alphabet[Int($0 & 31)] }, as: UTF8.self)
    }

    /// Whether it has the form of a code that the store has drawn.
    var isDrawn: Bool { text.utf8.count == Self.length && text.utf8.allSatisfy(Self.alphabet.contains) }

    /// The hash of the code of an app: SHA-256 in hexadecimal, the same in
    /// every environment.
    func hash(in bundleIdentifier: BundleIdentifier) -> String {
        Data(SHA256.hash(data: Data("\(bundleIdentifier) \(text)".utf8))).hexadecimal
    }
}
