// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A code that signs a user in once without the authenticator app. Only its
/// hash is stored.
struct RecoveryCode: Hashable, Sendable {
    /// Ten letters and digits in two groups, without those that look alike.
    var text: String

    /// The number of codes of a user.
    static let count = 10

    private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")

    init(text: String) {
        self.text = text
    }

    /// Makes a code of random bytes. Their remainders are almost equally
    /// likely: a code has more than 49 bits.
    init(_ random: Data) {
        let letters = random.prefix(10).map { String(Self.alphabet[Int($0) % Self.alphabet.count]) }
        text = letters.prefix(5).joined() + "-" + letters.dropFirst(5).joined()
    }

    /// The hash of a code, also of one that was typed with capitals, with
    /// spaces, or without the hyphen.
    var hash: String {
        Data(text.lowercased().filter { $0.isLetter || $0.isNumber }.utf8).fingerprint
    }
}
