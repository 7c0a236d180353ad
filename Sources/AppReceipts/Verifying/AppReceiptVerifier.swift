// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftASN1
import X509

/// Decides whether a receipt was signed by a trusted store, for the expected
/// app and device.
///
/// ```swift
/// let verifier = AppReceiptVerifier(trusting: try TrustRoots(pemOrDER: file))
/// switch try verifier.verify(bytes, expecting: .init(bundleIdentifier: "com.example.app")) {
/// case .verified(let receipt): unlock(receipt.contents.inAppPurchases)
/// case .refused(let reasons): print(reasons)
/// }
/// ```
///
/// The default profile is strict: the bytes have to be exactly those that a
/// store writes for these contents, with exactly three certificates, leaf,
/// intermediate and root. The certificates have to be valid at the receipt's
/// creation date, so that a receipt is still valid after they have expired. A
/// strict verifier caches the chains that it trusts: create one and reuse it.
public struct AppReceiptVerifier: Sendable {
    /// The result of verifying a receipt.
    public enum Verdict: Sendable {
        /// The receipt is trusted.
        case verified(VerifiedAppReceipt)
        /// The receipt isn't trusted, for at least one reason.
        case refused([Refusal])
    }

    private let roots: Set<Data>
    private let profile: VerificationProfile
    private let revoked: RevokedCertificates
    private let maximumLength: Int
    private let chains: ReceiptChainCache

    /// A verifier that trusts these root certificates, each as DER.
    ///
    /// - Parameters:
    ///   - roots: The certificates.
    ///   - profile: The rules to apply.
    ///   - revoked: Certificates that must not be trusted any more.
    ///   - maximumLength: The longest receipt to read, in bytes.
    public init(
        roots: [Data], profile: VerificationProfile = .strict, revoked: RevokedCertificates = .none,
        maximumLength: Int = UnverifiedAppReceipt.defaultMaximumLength
    ) {
        self.roots = Set(roots)
        self.profile = profile
        self.revoked = revoked
        self.maximumLength = maximumLength
        chains = ReceiptChainCache(roots: self.roots, revoked: revoked)
    }

    /// A verifier that trusts these root certificates.
    public init(
        trusting roots: TrustRoots, profile: VerificationProfile = .strict, revoked: RevokedCertificates = .none
    ) {
        self.init(roots: roots.certificates, profile: profile, revoked: revoked)
    }

    /// Verifies a receipt.
    ///
    /// - Parameters:
    ///   - der: The receipt's bytes (not base64).
    ///   - expecting: The required app and device.
    /// - Returns: The receipt, or every reason to refuse it.
    /// - Throws: ``AppReceiptError`` if the bytes are not an app receipt. A
    ///   receipt that can be read and isn't trusted is a
    ///   ``Verdict/refused(_:)``.
    public func verify(_ der: Data, expecting: Expectation) throws(AppReceiptError) -> Verdict {
        verify(try UnverifiedAppReceipt(parsing: der, maximumLength: maximumLength), expecting: expecting)
    }

    /// Verifies a receipt that is already parsed.
    public func verify(_ receipt: UnverifiedAppReceipt, expecting: Expectation) -> Verdict {
        let refusals =
            (profile == .strict ? strictRefusals(of: receipt) : lenientRefusals(of: receipt))
            + expecting.refusals(of: receipt.contents)
        return refusals.isEmpty ? .verified(VerifiedAppReceipt(verified: receipt.contents)) : .refused(refusals)
    }

    private func strictRefusals(of receipt: UnverifiedAppReceipt) -> [Refusal] {
        switch chains.judge(receipt.signedData.certificates) {
        case .failure(let unreadable):
            [unreadable.refusal]
        case .success(let judged):
            judged.refusals
                + judged.certificates.refusals(at: receipt.contents.creationDate)
                + signatureRefusals(of: receipt.signedData, by: judged.key)
                + StrictForm.refusals(of: receipt, signedBy: judged.signer)
        }
    }

    private func lenientRefusals(of receipt: UnverifiedAppReceipt) -> [Refusal] {
        let signedData = receipt.signedData
        let certificates: [Certificate]
        let signer: Certificate?
        do {
            certificates = try signedData.certificates.map { try Certificate(untrusted: $0) }
            signer = try certificates.first { certificate in
                try IssuerAndSerialNumber(of: certificate) == signedData.signerInfo.signer
            }
        } catch {
            return [Refusal(.brokenChain, "A certificate can't be read: \(error)")]
        }
        guard let signer else { return [Refusal(.brokenChain, "The signer's certificate is missing")] }
        let chain = LenientChain(
            from: signer, among: certificates,
            trusting: roots.compactMap { try? Certificate(derEncoded: Array($0)) })
        return chain.refusals(
            signerMarker: .receiptSigningMarker, authorityMarker: .receiptAuthorityMarker, revoked: revoked,
            at: receipt.contents.creationDate)
            + signatureRefusals(of: signedData, by: signer.publicKey)
    }

    private func signatureRefusals(of signedData: SignedData, by key: Certificate.PublicKey) -> [Refusal] {
        let info = signedData.signerInfo
        let content = signedData.content.content
        guard let digest = SignatureDigest.named(info.digestAlgorithm.algorithm, in: profile) else {
            return [Refusal(.weakAlgorithm, "The digest is \(info.digestAlgorithm.algorithm), not SHA-256")]
        }
        if let attributes = info.signedAttributes, !digest.isSigned(attributes, of: content) {
            return [Refusal(.wrongSignature, "The signed attributes are not those of these contents")]
        }
        guard
            let algorithm = digest.algorithm(named: info.signatureAlgorithm.algorithm, in: profile),
            key.isValidSignature(
                info.signature, for: info.signedAttributes?.signedBytes[...] ?? content, signatureAlgorithm: algorithm)
        else {
            return [Refusal(.wrongSignature, "The signature is not by the signer's key over these contents")]
        }
        return []
    }
}
