// SPDX-License-Identifier: Apache-2.0

/// Checks that a receipt is, byte for byte, the one that a store's authority
/// writes.
///
/// The signature covers the contents, and the chain covers the certificates.
/// This check covers the rest of the message, so that no byte of a receipt
/// can be changed. It also refuses every form that the parser accepts and the
/// encoder never writes, such as BER.
///
/// DER has one encoding for each value, so values that were read as DER do not
/// have to be encoded again: it is enough to compare the values. A test
/// encodes them again and compares the bytes.
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
