// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
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
        for certificate in [leaf.certificate, intermediate.certificate, root.certificate]
        where receipt.creationDate < certificate.notValidBefore || receipt.creationDate > certificate.notValidAfter {
            throw AppReceiptError(
                .notValidAtCreationDate,
                "The certificate \(certificate.subject) is not valid at \(receipt.creationDate)")
        }
        let content = try receipt.encodedPayload()
        let signature = try leaf.key.signature(for: SHA256.hash(data: content), padding: .insecurePKCS1v1_5)
        let message = try SignedData(
            content: content[...],
            certificates: [leaf.der[...], intermediate.der[...], root.der[...]],
            signerInfo: SignerInfo(signer: signer, signature: ArraySlice(signature.rawRepresentation))
        ).encoded()
        guard message.count <= UnverifiedAppReceipt.defaultMaximumLength else {
            throw AppReceiptError(
                .tooLarge,
                "A receipt of \(message.count) bytes is longer than \(UnverifiedAppReceipt.defaultMaximumLength)")
        }
        return Data(message)
    }
}
