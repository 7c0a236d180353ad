// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

extension OfferSignature {
    /// The other values that the store knows, one of which a wrong signature
    /// may have been made for.
    struct Alternatives: Sendable {
        /// The other keys, by identifier.
        var keys: [String: P256.Signing.PublicKey] = [:]
        var bundleIdentifiers: [String] = []
        var productIdentifiers: [String] = []
        var offerIdentifiers: [String] = []
    }

    /// The most signatures that a diagnosis verifies.
    private static let mostAttempts = 100

    /// The value that a wrong signature was made for, in a sentence; `nil`
    /// when no single other value explains it.
    func mistake(
        in signature: P256.Signing.ECDSASignature, by key: P256.Signing.PublicKey, _ alternatives: Alternatives
    ) -> String? {
        var attempts = 0
        func isSigned(by key: P256.Signing.PublicKey, _ change: (inout OfferSignature) -> Void) -> Bool {
            var other = self
            change(&other)
            attempts += other.spellings.count
            return attempts <= Self.mostAttempts && other.spellings.contains { $0.isSigned(signature, by: key) }
        }
        if !username.isEmpty, isSigned(by: key, { $0.username = "" }) {
            return "was made without a user name, and the payment has an applicationUsername"
        }
        if isSigned(by: key, { $0.timestamp /= 1000 }) {
            return "was made with the timestamp in seconds: it has milliseconds"
        }
        var upper = self
        upper.nonce = nonce.uppercased()
        if upper.isSigned(signature, by: key) { return "was made with an upper-case nonce: sign it in lower case" }
        for (name, other) in alternatives.keys.sorted(by: { $0.key < $1.key })
        where isSigned(by: other, { _ in }) || isSigned(by: other, { $0.keyIdentifier = name }) {
            return "was made with the key \(name), and the payment names \(keyIdentifier)"
        }
        for name in alternatives.productIdentifiers where isSigned(by: key, { $0.productIdentifier = name }) {
            return "was made for the product \"\(name)\""
        }
        for name in alternatives.offerIdentifiers where isSigned(by: key, { $0.offerIdentifier = name }) {
            return "was made for the offer \"\(name)\""
        }
        for name in alternatives.bundleIdentifiers where isSigned(by: key, { $0.bundleIdentifier = name }) {
            return "was made for the app \(name)"
        }
        return nil
    }
}
