// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
public import Foundation
import SwiftASN1
import X509

/// Decides whether a transaction receipt was signed by a trusted store, for the
/// expected app.
///
/// A transaction receipt contains its signer's certificate and no other one,
/// so a verifier needs the intermediate certificates, too. The certificates
/// have to be valid at the purchase date.
public struct TransactionReceiptVerifier: Sendable {
    /// The result of verifying a receipt.
    public enum Verdict: Sendable {
        /// The receipt is trusted.
        case verified(VerifiedTransactionReceipt)
        /// The receipt isn't trusted, for at least one reason.
        case refused([Refusal])
    }

    /// One reason not to trust a receipt.
    public typealias Refusal = AppReceiptVerifier.Refusal

    private let trusted: Set<Data>
    private let roots: [TrustedCertificate]
    private let intermediates: [TrustedCertificate]
    private let profile: VerificationProfile
    private let revoked: RevokedCertificates

    /// A verifier that trusts these root certificates.
    ///
    /// - Parameters:
    ///   - roots: The certificates, each as DER.
    ///   - intermediates: Certificates that may be between a root and a
    ///     signer, each as DER. They are not trusted without a root.
    ///   - profile: The rules to apply. The strict profile requires version
    ///     3, the lenient one also accepts version 2. The signature is over
    ///     SHA-1 in both, because the format has no other hash.
    ///   - revoked: Certificates that must not be trusted any more.
    public init(
        roots: [Data], intermediates: [Data], profile: VerificationProfile = .strict,
        revoked: RevokedCertificates = .none
    ) {
        trusted = Set(roots)
        self.roots = roots.compactMap(TrustedCertificate.init)
        self.intermediates = intermediates.compactMap(TrustedCertificate.init)
        self.profile = profile
        self.revoked = revoked
    }

    /// Verifies a receipt.
    ///
    /// - Parameters:
    ///   - bytes: The receipt's bytes (not base64).
    ///   - bundleIdentifier: The required app, or nil for any.
    /// - Returns: The receipt, or every reason to refuse it.
    /// - Throws: ``AppReceiptError`` if the bytes are not a transaction
    ///   receipt.
    public func verify(_ bytes: Data, expecting bundleIdentifier: String? = nil) throws(AppReceiptError) -> Verdict {
        verify(try UnverifiedTransactionReceipt(parsing: bytes), expecting: bundleIdentifier)
    }

    /// Verifies a receipt that is already parsed.
    public func verify(
        _ receipt: UnverifiedTransactionReceipt, expecting bundleIdentifier: String? = nil
    ) -> Verdict {
        var refusals: [Refusal] = []
        do {
            let signer = try OldCertificate(parsing: receipt.signature.certificate)
            refusals +=
                profile == .strict ? strictRefusals(of: receipt) : lenientRefusals(of: receipt, signer)
            let signature = _RSA.Signing.RSASignature(rawRepresentation: receipt.signature.signature)
            let signed = TransactionSignature.signedBytes(
                version: receipt.signature.version, purchaseInfo: receipt.purchaseInfo)
            // SHA-1, because the format has no other hash.
            if !signer.key.isValidSignature(
                signature, for: Insecure.SHA1.hash(data: signed), padding: .insecurePKCS1v1_5)
            {
                refusals.append(
                    Refusal(.wrongSignature, "The signature is not by the signer's key over this purchase"))
            }
        } catch {
            refusals.append(Refusal(.brokenChain, "The certificate can't be read: \(error)"))
        }
        let contents = receipt.contents
        // Compared by bytes, as in an app receipt.
        if let bundleIdentifier, !bundleIdentifier.utf8.elementsEqual(contents.bundleIdentifier.utf8) {
            refusals.append(
                Refusal(
                    .wrongBundleIdentifier,
                    "The receipt is for \(contents.bundleIdentifier), not \(bundleIdentifier)"))
        }
        return refusals.isEmpty ? .verified(VerifiedTransactionReceipt(verified: contents)) : .refused(refusals)
    }

    private func strictRefusals(of receipt: UnverifiedTransactionReceipt) -> [Refusal] {
        guard receipt.signature.version == 3 else {
            return [Refusal(.weakAlgorithm, "The signature's version is \(receipt.signature.version), not 3")]
        }
        guard let leaf = try? Certificate(derEncoded: receipt.signature.certificate) else {
            return [Refusal(.brokenChain, "The certificate can't be read")]
        }
        var refusals: [Refusal] = []
        let issuer = intermediates.first { $0.certificate.subject == leaf.issuer }
        let root = issuer.flatMap { issuer in
            roots.first { $0.certificate.subject == issuer.certificate.issuer }
        }
        if let issuer, let root {
            let chain = StrictChain(
                kind: .receipts, leaf: leaf, intermediate: issuer.certificate, root: root.certificate,
                rootBytes: Array(root.der)[...])
            refusals += chain.refusals(
                trusting: trusted, revoked: revoked, at: receipt.contents.purchaseDate)
        } else {
            refusals.append(
                Refusal(.untrustedRoot, "\(leaf.subject) is not issued under a trusted root certificate"))
        }
        let canonical = try? receipt.contents.purchaseInfo().encoded
        if canonical != receipt.purchaseInfo
            || !receipt.bytes.elementsEqual(
                receipt.contents.message(purchaseInfo: receipt.purchaseInfo, signature: receipt.signature))
        {
            refusals.append(Refusal(.notCanonical, "Encoding the receipt again doesn't give the same bytes"))
        }
        return refusals
    }

    private func lenientRefusals(
        of receipt: UnverifiedTransactionReceipt, _ signer: OldCertificate
    ) -> [Refusal] {
        var refusals: [Refusal] = []
        let date = receipt.contents.purchaseDate
        if date < signer.notValidBefore || date > signer.notValidAfter {
            refusals.append(
                Refusal(.certificateNotValidAtSigning, "The signer's certificate is not valid at \(date)"))
        }
        if revoked.serialNumbers.contains(signer.serialNumber) {
            refusals.append(Refusal(.revoked, "The signer's certificate was revoked"))
        }
        if trusted.contains(receipt.certificate) { return refusals }
        let marker: ASN1ObjectIdentifier =
            receipt.signature.version == 2 ? .oldReceiptSigningMarker : .receiptSigningMarker
        if !signer.isMarked(marker) {
            refusals.append(Refusal(.brokenChain, "The signer's certificate is not marked as a signer of receipts"))
        }
        guard let issuer = (intermediates + roots).first(where: { signer.isIssued(by: $0.certificate) }) else {
            return refusals + [
                Refusal(.untrustedRoot, "The signer's certificate is not issued under a trusted root certificate")
            ]
        }
        let chain = LenientChain(
            from: issuer.certificate, among: intermediates.map(\.certificate), trusting: roots.map(\.certificate))
        return refusals
            + chain.refusals(signerMarker: nil, authorityMarker: nil, revoked: revoked, at: date)
    }
}

/// A certificate of a verifier's configuration, parsed once.
struct TrustedCertificate: Sendable {
    var der: Data
    var certificate: Certificate

    init?(_ der: Data) {
        guard let certificate = try? Certificate(derEncoded: Array(der)) else { return nil }
        self.der = der
        self.certificate = certificate
    }
}
