// SPDX-License-Identifier: Apache-2.0

import Crypto
public import Foundation
import X509

/// Decides whether a JWS was signed by a trusted store, for the expected app
/// and environment.
///
/// ```swift
/// let verifier = JWSVerifier(trusting: try TrustRoots(pemOrDER: file))
/// let verdict = try verifier.verify(
///     signedTransaction, as: TransactionPayload.self, expecting: .init(bundleIdentifier: "com.example.app"))
/// if case .verified(let transaction) = verdict { deliver(transaction.payload) }
/// ```
///
/// The certificates have to be valid at the payload's date of signing. A
/// verifier caches the chains that it trusts: create one and reuse it.
public struct JWSVerifier: Sendable {
    /// The result of verifying a JWS.
    public enum Verdict<Payload: SignedPayload>: Sendable {
        /// The JWS is trusted.
        case verified(VerifiedJWS<Payload>)
        /// The JWS isn't trusted, for at least one reason.
        case refused([Refusal])
    }

    /// One reason not to trust a JWS.
    public typealias Refusal = AppReceiptVerifier.Refusal

    /// The requirements for a JWS besides the signature of a trusted store.
    public struct Expectation: Sendable, Hashable {
        /// The required app, or nil for any. Renewal info names no app, and
        /// isn't checked for it.
        public var bundleIdentifier: String?
        /// The required environment, or nil for any.
        public var environment: PayloadEnvironment?
        /// The date at which the certificates have to be valid, for payloads
        /// without a date of signing. Without it, such a payload is refused.
        public var date: Date?

        /// An expectation. A requirement that is nil isn't checked.
        public init(bundleIdentifier: String? = nil, environment: PayloadEnvironment? = nil, date: Date? = nil) {
            self.bundleIdentifier = bundleIdentifier
            self.environment = environment
            self.date = date
        }

        /// Any app, any environment.
        public static let any = Expectation()
    }

    private let profile: VerificationProfile
    private let maximumLength: Int
    private let chains: JWSChainCache

    /// A verifier that trusts these root certificates, each as DER.
    ///
    /// - Parameters:
    ///   - roots: The certificates.
    ///   - profile: The rules to apply.
    ///   - revoked: Certificates that must not be trusted any more.
    ///   - maximumLength: The longest JWS to read, in bytes.
    public init(
        roots: [Data], profile: VerificationProfile = .strict, revoked: RevokedCertificates = .none,
        maximumLength: Int = UnverifiedJWS<TransactionPayload>.defaultMaximumLength
    ) {
        self.profile = profile
        self.maximumLength = maximumLength
        chains = JWSChainCache(roots: roots, profile: profile, revoked: revoked)
    }

    /// A verifier that trusts these root certificates.
    public init(
        trusting roots: TrustRoots, profile: VerificationProfile = .strict, revoked: RevokedCertificates = .none
    ) {
        self.init(roots: roots.certificates, profile: profile, revoked: revoked)
    }

    /// Verifies a JWS.
    ///
    /// - Parameters:
    ///   - text: The JWS in compact serialisation.
    ///   - payload: The expected type of the payload.
    ///   - expecting: The required app and environment.
    /// - Returns: The payload, or every reason to refuse it.
    /// - Throws: ``AppReceiptError`` if the text isn't a JWS with such a
    ///   payload.
    public func verify<Payload: SignedPayload>(
        _ text: String, as payload: Payload.Type = Payload.self, expecting: Expectation
    ) throws(AppReceiptError) -> Verdict<Payload> {
        verify(try parse(text), expecting: expecting)
    }

    /// Parses a JWS. The certificates aren't decoded again when the verifier
    /// has verified them in another one.
    ///
    /// - Throws: ``AppReceiptError`` if the text isn't a JWS with such a
    ///   payload.
    package func parse<Payload: SignedPayload>(
        _ text: String, as payload: Payload.Type = Payload.self
    ) throws(AppReceiptError) -> UnverifiedJWS<Payload> {
        try UnverifiedJWS<Payload>(parsing: text, maximumLength: maximumLength, knowing: chains.header)
    }

    /// Verifies a JWS that is already parsed.
    public func verify<Payload>(_ jws: UnverifiedJWS<Payload>, expecting: Expectation) -> Verdict<Payload> {
        var refusals: [Refusal] = []
        let chain = chains.chain(for: jws.header)
        refusals += chain.refusals
        if let date = jws.payload.dateOfSigning ?? expecting.date {
            refusals += chain.certificates.refusals(at: date)
        } else {
            refusals.append(Refusal(.undated, "The payload has no date of signing"))
        }
        if !isSigned(jws, with: chain.key) {
            refusals.append(Refusal(.wrongSignature, "The signature is not by the signer's key over this payload"))
        }
        if profile == .strict, !jws.header.isCanonical || !LowS.isNormalized(jws.signature) {
            refusals.append(Refusal(.notCanonical, "Encoding the JWS again doesn't give the same text"))
        }
        refusals += expecting.refusals(of: jws.payload)
        return refusals.isEmpty ? .verified(VerifiedJWS(verified: jws.payload)) : .refused(refusals)
    }

    private func isSigned<Payload>(_ jws: UnverifiedJWS<Payload>, with key: P256.Signing.PublicKey?) -> Bool {
        guard let key, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature) else {
            return false
        }
        return key.isValidSignature(signature, for: jws.signedText)
    }
}

extension JWSVerifier.Expectation {
    func refusals<Payload: SignedPayload>(of payload: Payload) -> [JWSVerifier.Refusal] {
        var refusals: [JWSVerifier.Refusal] = []
        if let bundleIdentifier, Payload.statesBundleIdentifier {
            let stated = payload.statedBundleIdentifier
            // Compared by bytes, as in a receipt.
            if !bundleIdentifier.utf8.elementsEqual((stated ?? "").utf8) {
                refusals.append(
                    .init(
                        .wrongBundleIdentifier, "The payload is for \(stated ?? "no app"), not \(bundleIdentifier)"))
            }
        }
        if let environment, environment != payload.statedEnvironment {
            let stated = payload.statedEnvironment?.rawValue ?? "no environment"
            refusals.append(.init(.wrongEnvironment, "The payload is from \(stated), not \(environment.rawValue)"))
        }
        return refusals
    }
}
