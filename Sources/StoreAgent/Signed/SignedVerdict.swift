// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
import Foundation

/// A signed value of the store, and the device's judgement about it.
package struct SignedVerdict<Payload: SignedPayload>: Sendable {
    /// The JWS.
    package var signed: String
    /// The payload; `nil` when the text isn't a JWS with such a payload.
    package var payload: Payload?
    /// The reason not to trust it; `nil` when it is trusted.
    package var failure: SignedFailure?
}

/// The reason not to trust a signed value of the store, in the words of
/// StoreKit 2.
package enum SignedFailure: Sendable, Hashable {
    case revokedCertificate
    case invalidCertificateChain
    case invalidDeviceVerification
    case invalidEncoding
    case invalidSignature
    case missingRequiredProperties

    /// The reason that stands for all refusals: a wrong chain proves nothing
    /// about the signature.
    init?(_ refusals: [JWSVerifier.Refusal]) {
        let codes = refusals.map(\.code)
        let chain: [JWSVerifier.Refusal.Code] = [
            .untrustedRoot, .brokenChain, .certificateNotValidAtSigning, .weakAlgorithm,
        ]
        if codes.isEmpty { return nil }
        if codes.contains(.revoked) {
            self = .revokedCertificate
        } else if codes.contains(where: chain.contains) {
            self = .invalidCertificateChain
        } else if codes.contains(.wrongSignature) {
            self = .invalidSignature
        } else if codes.contains(.notCanonical) {
            self = .invalidEncoding
        } else if codes.contains(.wrongDevice) {
            self = .invalidDeviceVerification
        } else {
            // The payload doesn't name this app, or has no date.
            self = .missingRequiredProperties
        }
    }
}
