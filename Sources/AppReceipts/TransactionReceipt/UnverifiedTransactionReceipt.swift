// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A transaction receipt, parsed and not verified.
///
/// Do not trust these values. Use them for display only, and a
/// ``TransactionReceiptVerifier`` for any other purpose.
public struct UnverifiedTransactionReceipt: Sendable {
    /// The longest receipt that is read, in bytes. Real receipts have about
    /// 4000.
    public static let maximumLength = 1 << 16

    /// The bytes that were parsed.
    public let bytes: Data
    /// The contents of the receipt.
    public let contents: TransactionReceipt
    /// The number of the group of servers that made the receipt (`pod`). It
    /// isn't signed.
    public let pod: String?
    /// The `signing-status`, which is `0`. It isn't signed.
    public let signingStatus: String?
    let signature: TransactionSignature
    let purchaseInfo: [UInt8]

    /// The version of the signature: 2 or 3.
    public var signatureVersion: Int { Int(signature.version) }
    /// The certificate in the receipt, which is the signer's, as DER.
    public var certificate: Data { Data(signature.certificate) }

    /// Parses a receipt, including Apple's.
    ///
    /// - Parameter bytes: The receipt's bytes (not base64): a property list.
    /// - Throws: ``AppReceiptError`` if there are too many bytes, or they are
    ///   not a transaction receipt.
    public init(parsing bytes: Data) throws(AppReceiptError) {
        guard bytes.count <= Self.maximumLength else {
            throw AppReceiptError(.tooLarge, "\(bytes.count) bytes are more than \(Self.maximumLength)")
        }
        self.bytes = bytes
        let outer = try StringPropertyList(parsing: bytes).dictionary
        func decoded(_ key: String) throws(AppReceiptError) -> [UInt8] {
            guard let text = outer[key] else { throw AppReceiptError(.missingAttribute, "\(key) is missing") }
            guard let decoded = Base64.standard.decode(text.utf8) else {
                throw AppReceiptError(.malformed, "\(key) is not base64")
            }
            return decoded
        }
        signature = try TransactionSignature(parsing: try decoded("signature"))
        purchaseInfo = try decoded("purchase-info")
        pod = outer["pod"]
        signingStatus = outer["signing-status"]
        contents = try TransactionReceipt(
            purchaseInfo: StringPropertyList(parsing: purchaseInfo),
            environment: outer["environment"] == "Sandbox" ? .sandbox : .production)
    }
}

/// A transaction receipt that a trusted store signed. Only a
/// ``TransactionReceiptVerifier`` creates one, so that a function with this
/// parameter can rely on it.
public struct VerifiedTransactionReceipt: Sendable {
    /// The contents of the receipt.
    public let contents: TransactionReceipt

    init(verified contents: TransactionReceipt) {
        self.contents = contents
    }
}
