// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A PKCS#7 message with an app receipt in it, parsed and not verified.
///
/// Do not trust these values. Use them for display only, and an
/// ``AppReceiptVerifier`` for any other purpose.
public struct UnverifiedAppReceipt: Sendable {
    /// The default of the longest message that is read, in bytes.
    ///
    /// It has room for more than 15,000 purchases.
    public static let defaultMaximumLength = 6 << 20

    /// The message that was parsed.
    public let der: Data
    /// The contents of the receipt.
    public let contents: AppReceipt
    let signedData: SignedData
    /// Whether the message and the contents are DER, and the contents have
    /// the form that the encoder writes.
    let isCanonical: Bool

    /// The certificates in the message, each as DER, in its order.
    public var certificates: [Data] { signedData.certificates.map { Data($0) } }
    /// The serial number of the signer's certificate, as named in the
    /// message, in big-endian bytes.
    public var signerSerialNumber: Data { Data(signedData.signerInfo.signer.serialNumber) }

    /// Parses a receipt, DER or BER, including those of Apple and Xcode.
    ///
    /// - Parameters:
    ///   - der: The receipt's bytes (not base64).
    ///   - maximumLength: The longest message to read, in bytes.
    /// - Throws: ``AppReceiptError`` if there are too many bytes, or they are
    ///   not an app receipt.
    public init(parsing der: Data, maximumLength: Int = defaultMaximumLength) throws(AppReceiptError) {
        guard der.count <= maximumLength else {
            throw AppReceiptError(.tooLarge, "\(der.count) bytes are more than \(maximumLength)")
        }
        // Copied, because a Data may be a slice that doesn't start at zero.
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
