// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
public import Foundation
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
/// It is strict: the bytes have to be exactly those that a store writes for
/// these contents, down to the last one, with exactly leaf, intermediate and
/// root. Validity is judged at the receipt's creation date, so that a receipt
/// outlives the certificates that signed it.
public struct AppReceiptVerifier: Sendable {
    /// What became of a receipt.
    public enum Verdict: Sendable {
        /// It is to be trusted.
        case verified(VerifiedAppReceipt)
        /// It isn't, for at least one reason.
        case refused([Refusal])
    }

    private let roots: Set<Data>
    private let maximumLength: Int

    /// A verifier that trusts these root certificates, each as DER.
    ///
    /// - Parameters:
    ///   - roots: The certificates.
    ///   - maximumLength: The longest receipt to look at, in bytes.
    public init(roots: [Data], maximumLength: Int = UnverifiedAppReceipt.defaultMaximumLength) {
        self.roots = Set(roots)
        self.maximumLength = maximumLength
    }

    /// A verifier that trusts these root certificates.
    public init(trusting roots: TrustRoots) {
        self.init(roots: roots.certificates)
    }

    /// Verifies a receipt.
    ///
    /// - Parameters:
    ///   - der: The receipt's bytes (not base64).
    ///   - expecting: The app and the device that it has to be for.
    /// - Returns: The receipt, or every reason to refuse it.
    /// - Throws: ``AppReceiptError`` if the bytes are no receipt at all. One
    ///   that can be read and not trusted is a ``Verdict/refused(_:)``.
    public func verify(_ der: Data, expecting: Expectation) throws(AppReceiptError) -> Verdict {
        verify(try UnverifiedAppReceipt(parsing: der, maximumLength: maximumLength), expecting: expecting)
    }

    /// Verifies a receipt that is parsed already.
    public func verify(_ receipt: UnverifiedAppReceipt, expecting: Expectation) -> Verdict {
        var refusals: [Refusal] = []
        switch ReceiptCertificateChain.reading(receipt.signedData.certificates) {
        case .failure(let unreadable):
            refusals.append(unreadable.refusal)
        case .success(let chain):
            refusals += chain.refusals(trusting: roots, at: receipt.contents.creationDate)
            refusals += signatureRefusals(of: receipt.signedData, by: chain.leaf)
            refusals += StrictForm.refusals(of: receipt, signedBy: chain.leaf)
        }
        refusals += expecting.refusals(of: receipt.contents)
        return refusals.isEmpty ? .verified(VerifiedAppReceipt(verified: receipt.contents)) : .refused(refusals)
    }

    private func signatureRefusals(of signedData: SignedData, by leaf: Certificate) -> [Refusal] {
        guard let key = _RSA.Signing.PublicKey(leaf.publicKey) else {
            return [Refusal(.wrongSignature, "The signer's key is not an RSA key")]
        }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signedData.signerInfo.signature)
        guard key.isValidSignature(signature, for: signedData.content.content, padding: .insecurePKCS1v1_5) else {
            return [Refusal(.wrongSignature, "The signature is not by the signer's key over these contents")]
        }
        return []
    }
}
