// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A signed value of the store, and whether this device trusts it.
///
/// ```swift
/// switch result {
/// case .verified(let transaction): deliver(transaction)
/// case .unverified(_, let error): report(error)
/// }
/// ```
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
@frozen public enum VerificationResult<SignedType> {
    /// The value isn't trusted, for this reason. Anybody may have written it.
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    /// The store has signed the value, for this app and device.
    case verified(SignedType)

    /// The value, if it is verified.
    ///
    /// - Throws: ``VerificationError`` for an unverified value.
    public var payloadValue: SignedType {
        get throws {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// The value, verified or not.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }

    /// The reason not to trust a value.
    public enum VerificationError: Error, Equatable, Hashable, Sendable {
        /// A certificate was revoked.
        case revokedCertificate
        /// The certificates don't lead to a trusted root certificate.
        case invalidCertificateChain
        /// The value was signed for another device.
        case invalidDeviceVerification
        /// The text isn't a signed value of this type.
        case invalidEncoding
        /// The signature isn't that of the certificate's key over this value.
        case invalidSignature
        /// The value lacks a property, or doesn't name this app.
        case missingRequiredProperties
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension VerificationResult: Equatable where SignedType: Equatable {}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension VerificationResult: Hashable where SignedType: Hashable {}
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension VerificationResult: Sendable where SignedType: Sendable {}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension VerificationResult: CustomDebugStringConvertible where SignedType: CustomDebugStringConvertible {
    /// The case, with the value.
    public var debugDescription: String {
        switch self {
        case .verified(let value): "verified(\(value.debugDescription))"
        case .unverified(let value, let error): "unverified(\(value.debugDescription), \(error))"
        }
    }
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension VerificationResult.VerificationError: LocalizedError {
    /// A sentence for a customer.
    public var errorDescription: String? { "The store's answer can't be trusted." }

    /// The reason.
    public var failureReason: String? {
        switch self {
        case .revokedCertificate: "A certificate of the signature was revoked."
        case .invalidCertificateChain: "The certificates don't lead to a trusted root certificate."
        case .invalidDeviceVerification: "The value was signed for another device."
        case .invalidEncoding: "The text isn't a signed value of this type."
        case .invalidSignature: "The signature doesn't fit the value."
        case .missingRequiredProperties: "The value lacks a property, or is another app's."
        }
    }

    /// The remedy.
    public var recoverySuggestion: String? {
        self == .invalidCertificateChain
            ? """
            Set STOREKIT_TRUST to a file with both root certificates of the store: roots.pem in its folder, or \
            /pki/roots.pem.
            """ : "Update the purchases from the store."
    }
}
