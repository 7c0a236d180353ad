// SPDX-License-Identifier: Apache-2.0

package import Crypto
package import Foundation

/// The values that a seller's server signs for a promotional offer
/// ("Generating a signature for promotional offers").
package struct OfferSignature: Hashable, Sendable {
    package var bundleIdentifier: String
    package var keyIdentifier: String
    package var productIdentifier: String
    package var offerIdentifier: String
    /// The payment's `applicationUsername`; empty without one.
    package var username: String
    package var nonce: String
    /// Milliseconds since 1970.
    package var timestamp: Int64

    package init(
        bundleIdentifier: String, keyIdentifier: String, productIdentifier: String, offerIdentifier: String,
        username: String, nonce: String, timestamp: Int64
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.keyIdentifier = keyIdentifier
        self.productIdentifier = productIdentifier
        self.offerIdentifier = offerIdentifier
        self.username = username
        self.nonce = nonce
        self.timestamp = timestamp
    }

    /// The longest time between the signature and its use, in milliseconds.
    static let lifetime: Int64 = 24 * 60 * 60 * 1000

    /// The difference by which a seller's clock may be ahead, in milliseconds.
    static let tolerance: Int64 = 60 * 60 * 1000

    /// Why a valid signature isn't accepted at a time; `nil` when it is.
    func refusal(at now: WallTime) -> String? {
        let (age, overflow) = now.milliseconds.subtractingReportingOverflow(timestamp)
        guard !overflow, age <= Self.lifetime else {
            // In milliseconds, this is in 1973.
            let isInSeconds = (0..<100_000_000_000).contains(timestamp)
            return isInSeconds ? "has a timestamp in seconds: it has milliseconds" : "is older than 24 hours"
        }
        guard age >= -Self.tolerance else { return "is of a time in the future" }
        return UUID(uuidString: nonce) == nil ? "has a nonce that isn't a UUID" : nil
    }

    /// The signed bytes: the values in their order, with U+2063 between them.
    package var bytes: Data {
        let values = [
            bundleIdentifier, keyIdentifier, productIdentifier, offerIdentifier, username, nonce, String(timestamp),
        ]
        return Data(values.joined(separator: "\u{2063}").utf8)
    }

    /// Whether a key has signed the values.
    package func isSigned(_ signature: P256.Signing.ECDSASignature, by key: P256.Signing.PublicKey) -> Bool {
        key.isValidSignature(signature, for: bytes)
    }

    /// The values with the letters that a server may have signed: Apple's
    /// libraries sign the nonce and the user name in lower case.
    var spellings: [OfferSignature] {
        var lower = self
        lower.nonce = nonce.lowercased()
        guard username != username.lowercased() else { return [lower] }
        let exact = lower
        lower.username = username.lowercased()
        return [exact, lower]
    }
}
