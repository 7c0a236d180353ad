// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whether a receipt is, byte for byte, what a store's authority writes.
///
/// A signature covers the contents, and the chain covers the certificates;
/// this rule covers the rest of the message, so that no byte of a receipt can
/// be changed. It also refuses everything that our parser reads and our
/// encoder never writes, such as BER.
enum StrictForm {
    static func refusals(
        of receipt: UnverifiedAppReceipt, signedBy signer: IssuerAndSerialNumber?
    ) -> [AppReceiptVerifier.Refusal] {
        let signedData = receipt.signedData
        guard
            let content = try? receipt.contents.encodedPayload(),
            let signer,
            let message = try? SignedData(
                content: content[...],
                certificates: signedData.certificates,
                signerInfo: SignerInfo(signer: signer, signature: signedData.signerInfo.signature)
            ).encoded(),
            receipt.der == Data(message)
        else {
            return [.init(.notCanonical, "Encoding the receipt again doesn't give the same bytes")]
        }
        return []
    }
}
