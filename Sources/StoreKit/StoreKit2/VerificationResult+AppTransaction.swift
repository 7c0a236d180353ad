// SPDX-License-Identifier: Apache-2.0

public import Crypto
public import Foundation

// The parts of the JWS of a signed app transaction.
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension VerificationResult where SignedType == AppTransaction {
    /// The JWS in compact serialization, for the seller's server.
    public var jwsRepresentation: String { unsafePayloadValue.signed.text }
    /// The JSON of the header.
    public var headerData: Data { unsafePayloadValue.signed.header }
    /// The JSON of the payload.
    public var payloadData: Data { unsafePayloadValue.signed.payload }
    /// The bytes of the signature.
    public var signatureData: Data { unsafePayloadValue.signed.signature }
    /// The bytes that are signed: header and payload as they are in the JWS.
    public var signedData: Data { unsafePayloadValue.signed.signed }
    /// The signature.
    public var signature: P256.Signing.ECDSASignature { unsafePayloadValue.signed.ecdsaSignature }
    /// When the store signed the value.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// The value that binds the signature to a device.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// The nonce of the binding to a device.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}
