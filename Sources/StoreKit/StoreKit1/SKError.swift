// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of ``SKError``.
public let SKErrorDomain = "SKErrorDomain"

/// An error of StoreKit: a code, and what Foundation keeps with an error.
///
/// Errors that StoreKit hands to an app are values of this type, and an
/// `NSError` of this domain turns into one by `as?`.
public struct SKError: _BridgedStoredNSError {
    /// The error that this one wraps.
    public let _nsError: NSError

    /// Wraps an error: of any domain, since wrappers hand on in an `SKError`
    /// whatever a request has failed with.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// What went wrong; `unknown` for an error whose code is none of
    /// StoreKit's. `errorCode` is the number as it is.
    public var code: Code { Code(rawValue: _nsError.code) ?? .unknown }

    /// ``SKErrorDomain``.
    public static var _nsErrorDomain: String { SKErrorDomain }

    /// ``SKErrorDomain``.
    public static var errorDomain: String { SKErrorDomain }

    /// What went wrong.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error type that carries these codes.
        public typealias _ErrorType = SKError

        /// An unknown or unexpected error; the underlying error says more.
        case unknown = 0
        /// The client isn't allowed to do this.
        case clientInvalid = 1
        /// The customer cancelled.
        case paymentCancelled = 2
        /// A parameter of the payment isn't valid.
        case paymentInvalid = 3
        /// The customer isn't allowed to pay.
        case paymentNotAllowed = 4
        /// The product isn't for sale in this storefront.
        case storeProductNotAvailable = 5
        /// The customer hasn't allowed access to the cloud service.
        case cloudServicePermissionDenied = 6
        /// The cloud service can't be reached.
        case cloudServiceNetworkConnectionFailed = 7
        /// The customer has taken back the permission for the cloud service.
        case cloudServiceRevoked = 8
        /// The customer hasn't acknowledged the store's privacy policy.
        case privacyAcknowledgementRequired = 9
        /// The app set `requestData` and isn't entitled to.
        case unauthorizedRequestData = 10
        /// The offer identifier is unknown or not active.
        case invalidOfferIdentifier = 11
        /// The offer's signature isn't valid.
        case invalidSignature = 12
        /// Parameters of the offer are missing.
        case missingOfferParams = 13
        /// The offer's price isn't valid.
        case invalidOfferPrice = 14
        /// The overlay was cancelled.
        case overlayCancelled = 15
        /// The overlay's configuration isn't valid.
        case overlayInvalidConfiguration = 16
        /// The overlay took too long.
        case overlayTimeout = 17
        /// The customer isn't eligible for the offer.
        case ineligibleForOffer = 18
        /// This platform doesn't support it.
        case unsupportedPlatform = 19
        /// The overlay was asked for by a scene in the background.
        case overlayPresentedInBackgroundScene = 20
    }
}
