// SPDX-License-Identifier: Apache-2.0

// These constants let an app write `catch SKError.paymentCancelled` and
// `code == SKError.paymentCancelled`. As on Apple's platforms they are codes,
// not errors.
extension SKError {
    /// The code `unknown`.
    public static var unknown: Code { .unknown }
    /// The code `clientInvalid`.
    public static var clientInvalid: Code { .clientInvalid }
    /// The code `paymentCancelled`.
    public static var paymentCancelled: Code { .paymentCancelled }
    /// The code `paymentInvalid`.
    public static var paymentInvalid: Code { .paymentInvalid }
    /// The code `paymentNotAllowed`.
    public static var paymentNotAllowed: Code { .paymentNotAllowed }
    /// The code `storeProductNotAvailable`.
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
    /// The code `cloudServicePermissionDenied`.
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
    /// The code `cloudServiceNetworkConnectionFailed`.
    public static var cloudServiceNetworkConnectionFailed: Code { .cloudServiceNetworkConnectionFailed }
    /// The code `cloudServiceRevoked`.
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
    /// The code `privacyAcknowledgementRequired`.
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
    /// The code `unauthorizedRequestData`.
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
    /// The code `invalidOfferIdentifier`.
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
    /// The code `invalidSignature`.
    public static var invalidSignature: Code { .invalidSignature }
    /// The code `missingOfferParams`.
    public static var missingOfferParams: Code { .missingOfferParams }
    /// The code `invalidOfferPrice`.
    public static var invalidOfferPrice: Code { .invalidOfferPrice }
    /// The code `overlayCancelled`.
    public static var overlayCancelled: Code { .overlayCancelled }
    /// The code `overlayInvalidConfiguration`.
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }
    /// The code `overlayTimeout`.
    public static var overlayTimeout: Code { .overlayTimeout }
    /// The code `ineligibleForOffer`.
    public static var ineligibleForOffer: Code { .ineligibleForOffer }
    /// The code `unsupportedPlatform`.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
    /// The code `overlayPresentedInBackgroundScene`.
    public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
}
