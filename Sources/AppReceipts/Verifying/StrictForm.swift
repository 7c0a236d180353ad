// SPDX-License-Identifier: Apache-2.0

/// Whether a receipt is, byte for byte, what a store's authority writes.
///
/// A signature covers the contents, and the chain covers the certificates;
/// this rule covers the rest of the message, so that no byte of a receipt can
/// be changed. It also refuses everything that our parser reads and our
/// encoder never writes, such as BER.
///
/// DER has one form for each value, so what was read as DER needs no encoding
/// again: it is enough that the values are the ones that we write. A test
/// encodes again, and compares.
enum StrictForm {
    static func refusals(
        of receipt: UnverifiedAppReceipt, signedBy signer: IssuerAndSerialNumber?
    ) -> [AppReceiptVerifier.Refusal] {
        let signedData = receipt.signedData
        guard
            receipt.isCanonical,
            let signer,
            signedData.version == 1,
            signedData.digestAlgorithms == [.sha256],
            signedData.signerInfo == SignerInfo(signer: signer, signature: signedData.signerInfo.signature)
        else {
            return [.init(.notCanonical, "The bytes are not the ones that a store writes for these contents")]
        }
        return []
    }
}
