// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A transaction receipt: parsed, and not verified.
///
/// Nothing in here is to be believed. Show it to somebody who wants to know
/// what a file says; for anything else use a ``TransactionReceiptVerifier``.
public struct UnverifiedTransactionReceipt: Sendable {
    /// The longest receipt that is read, in bytes. Real ones have some 4000.
    public static let maximumLength = 1 << 16

    /// The bytes that were parsed.
    public let bytes: Data
    /// What the receipt says.
    public let contents: TransactionReceipt
    /// The store's number for the servers that made it (`pod`); not signed.
    public let pod: String?
    /// `signing-status`, which is `0`; not signed.
    public let signingStatus: String?
    let signature: TransactionSignature
    let purchaseInfo: [UInt8]

    /// The version of the signature: 2 or 3.
    public var signatureVersion: Int { Int(signature.version) }
    /// The certificate that the receipt says it is signed by, as DER.
    public var certificate: Data { Data(signature.certificate) }

    /// Parses a receipt, also one by Apple.
    ///
    /// - Parameter bytes: The receipt's bytes (not base64): a property list.
    /// - Throws: ``AppReceiptError`` if the bytes are too many, or no receipt.
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
/// ``TransactionReceiptVerifier`` makes one, so a function that takes one can
/// rely on it.
public struct VerifiedTransactionReceipt: Sendable {
    /// What the store says.
    public let contents: TransactionReceipt

    init(verified contents: TransactionReceipt) {
        self.contents = contents
    }
}
