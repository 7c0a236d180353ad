// SPDX-License-Identifier: Apache-2.0

public import Foundation
import X509

extension SigningAuthority {
    /// Signs a transaction receipt, in version 3 of the format.
    ///
    /// - Returns: The property list. Apps get it as `transactionReceipt`, and
    ///   sellers' servers as base64.
    /// - Throws: ``AppReceiptError`` if the receipt can't be encoded, is too
    ///   long, or is dated outside of the certificates' validity.
    public func sign(_ receipt: TransactionReceipt) throws -> Data {
        let leaf = try leaf(.receipts, for: receipt.environment == .production ? .production : .sandbox)
        try checkValidity(of: leaf, in: receipts, at: receipt.purchaseDate)
        let info = try receipt.purchaseInfo().encoded
        let signature = try leaf.key.sign(
            bytes: TransactionSignature.signedBytes(version: 3, purchaseInfo: info),
            signatureAlgorithm: .sha1WithRSAEncryption)
        let message = receipt.message(
            purchaseInfo: info,
            signature: TransactionSignature(
                version: 3, signature: signature.rawRepresentation[...], certificate: leaf.der[...]))
        guard message.count <= UnverifiedTransactionReceipt.maximumLength else {
            throw AppReceiptError(
                .tooLarge,
                "A receipt of \(message.count) bytes is longer than \(UnverifiedTransactionReceipt.maximumLength)")
        }
        return Data(message)
    }

    /// A verifier of transaction receipts that trusts this authority and no
    /// other. It doesn't check revocations.
    public var transactionReceiptVerifier: TransactionReceiptVerifier {
        TransactionReceiptVerifier(roots: [rootCertificate], intermediates: [Data(receipts.intermediate.der)])
    }
}

extension TransactionReceipt {
    /// The outer property list, in the only form that a store writes.
    func message(purchaseInfo: [UInt8], signature: TransactionSignature) -> [UInt8] {
        var entries = [
            ("signature", Base64.standard.encode(signature.encoded) as String),
            ("purchase-info", Base64.standard.encode(purchaseInfo) as String),
        ]
        // The entries that are not signed are the same in all receipts of an
        // environment.
        if environment == .sandbox { entries.append(("environment", "Sandbox")) }
        entries += [("pod", "100"), ("signing-status", "0")]
        return StringPropertyList(entries).encoded
    }
}
