// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A PKCS#7 message with an app receipt in it: parsed, and not verified.
///
/// Nothing in here is to be believed. Show it to somebody who wants to know
/// what a file says; for anything else use an ``AppReceiptVerifier``.
public struct UnverifiedAppReceipt: Sendable {
    /// The longest message that is read unless told otherwise, in bytes.
    ///
    /// That is more than 15,000 purchases.
    public static let defaultMaximumLength = 6 << 20

    /// The message that was parsed.
    public let der: Data
    /// What the message says.
    public let contents: AppReceipt
    let signedData: SignedData
    /// Whether message and contents are DER, and the contents those that we
    /// write for what they say.
    let isCanonical: Bool

    /// The certificates in the message, each as DER, in its order.
    public var certificates: [Data] { signedData.certificates.map { Data($0) } }
    /// The certificate that the message says it is signed by, by its serial
    /// number as big-endian bytes.
    public var signerSerialNumber: Data { Data(signedData.signerInfo.signer.serialNumber) }

    /// Parses a receipt, DER or BER, also one by Apple or by Xcode.
    ///
    /// - Parameters:
    ///   - der: The receipt's bytes (not base64).
    ///   - maximumLength: The longest message to read, in bytes.
    /// - Throws: ``AppReceiptError`` if the bytes are too many, or no receipt.
    public init(parsing der: Data, maximumLength: Int = defaultMaximumLength) throws(AppReceiptError) {
        guard der.count <= maximumLength else {
            throw AppReceiptError(.tooLarge, "\(der.count) bytes are more than \(maximumLength)")
        }
        // A copy: a Data may be a slice that starts elsewhere than at zero.
        var message = DERReader([UInt8](der)[...])
        let signedData = try ContentInfo(reading: &message).signedData
        try message.finish()
        var content = DERReader(signedData.content.content)
        let contents = try AppReceipt(reading: &content)
        try content.finish()
        self.der = der
        self.contents = contents
        self.signedData = signedData
        isCanonical = message.isCanonical && content.isCanonical
    }
}
