// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftASN1

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
        self.der = der
        do {
            // A copy: a Data may be a slice that starts elsewhere than at zero.
            let bytes = [UInt8](der)
            try NodeLimit.message.check(bytes[...])
            let signedData = try ContentInfo(node: BER.parse(bytes)).signedData
            self.contents = try AppReceipt(payload: signedData.content.content)
            self.signedData = signedData
        } catch let error as AppReceiptError {
            throw error
        } catch let error as ASN1Error {
            // Not all of it, which names a line of somebody else's source.
            throw AppReceiptError(.malformed, "Not a receipt: \(error.code)")
        } catch {
            throw AppReceiptError(.malformed, "Not a receipt: \(error)")
        }
    }
}
