// SPDX-License-Identifier: Apache-2.0

public import Foundation
import X509

extension SigningAuthority {
    /// Signs a receipt.
    ///
    /// The signature is RSASSA-PKCS1-v1_5 over the SHA-256 hash of the
    /// encoded receipt itself; there are no signed attributes, as in Apple's
    /// receipts.
    ///
    /// - Returns: The PKCS#7 message, DER, with leaf, intermediate and root
    ///   certificate in it.
    /// - Throws: ``AppReceiptError`` if the receipt can't be encoded, would be
    ///   longer than a verifier reads, or is dated outside of the
    ///   certificates' validity.
    public func sign(_ receipt: AppReceipt) throws -> Data {
        try sign(receipt, appending: [])
    }

    /// Signs a receipt with further purchases, which were encoded before by
    /// ``InAppPurchase/encodedForReceipt``.
    ///
    /// - Throws: As the other `sign(_:)` does.
    package func sign(_ receipt: AppReceipt, appending purchases: [Data]) throws -> Data {
        let leaf = try leaf(.receipts, for: receipt.environment.isProduction ? .production : .sandbox)
        try checkValidity(of: leaf, in: receipts, at: receipt.creationDate)
        let content = try receipt.encodedPayload(appending: purchases)
        let signature = try leaf.key.sign(bytes: content, signatureAlgorithm: .sha256WithRSAEncryption)
        let message = SignedData(
            content: content[...],
            certificates: [leaf.der[...], receipts.intermediate.der[...], receipts.root.der[...]],
            signerInfo: SignerInfo(signer: leaf.signer, signature: signature.rawRepresentation[...])
        ).encoded
        guard message.count <= UnverifiedAppReceipt.defaultMaximumLength else {
            throw AppReceiptError(
                .tooLarge,
                "A receipt of \(message.count) bytes is longer than \(UnverifiedAppReceipt.defaultMaximumLength)")
        }
        return Data(message)
    }

    func checkValidity(of leaf: Member, in chain: Chain, at date: Date) throws(AppReceiptError) {
        for member in [leaf, chain.intermediate, chain.root]
        where date < member.validity.from || date > member.validity.to {
            throw AppReceiptError(
                .notValidAtCreationDate, "The certificate \(member.certificate.subject) is not valid at \(date)")
        }
    }
}

extension SigningAuthority {
    /// Checks that receipts and JWS of a date can be signed.
    ///
    /// - Throws: ``AppReceiptError/Code/notValidAtCreationDate`` when the
    ///   certificates are not valid at that date.
    package func checkCanSign(at date: Date, forProduction: Bool) throws(AppReceiptError) {
        let environment: LeafSlot.Environment = forProduction ? .production : .sandbox
        try checkValidity(of: leaf(.receipts, for: environment), in: receipts, at: date)
        try checkValidity(of: leaf(.jws, for: environment), in: jws, at: date)
    }
}
