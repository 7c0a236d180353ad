// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKErrorAPI(_ error: SKError) {
    let _: String = SKErrorDomain
    let _: String = SKError.errorDomain
    let _: any Error & CustomNSError & Hashable = error
    let _: SKError = SKError(.unknown)
    let _: SKError = SKError(.unknown, userInfo: [NSLocalizedDescriptionKey: "text"])
    let _: SKError = SKError(_nsError: NSError(domain: SKErrorDomain, code: 0))
    let _: SKError.Code = error.code
    let _: [String: Any] = error.userInfo
    let _: Int = error.errorCode
    let _: [String: Any] = error.errorUserInfo
    let _: String = error.localizedDescription
}

func checkSKErrorCodeAPI(_ code: SKError.Code) -> String {
    let _: SKError.Code? = SKError.Code(rawValue: 0)
    let _: Int = code.rawValue
    let _: [SKError.Code] = [
        SKError.unknown, SKError.clientInvalid, SKError.paymentCancelled, SKError.paymentInvalid,
        SKError.paymentNotAllowed, SKError.storeProductNotAvailable, SKError.cloudServicePermissionDenied,
        SKError.cloudServiceNetworkConnectionFailed, SKError.cloudServiceRevoked,
        SKError.privacyAcknowledgementRequired, SKError.unauthorizedRequestData, SKError.invalidOfferIdentifier,
        SKError.invalidSignature, SKError.missingOfferParams, SKError.invalidOfferPrice, SKError.overlayCancelled,
        SKError.overlayInvalidConfiguration, SKError.overlayTimeout, SKError.ineligibleForOffer,
        SKError.unsupportedPlatform, SKError.overlayPresentedInBackgroundScene,
    ]
    switch code {
    case .unknown: return "unknown"
    case .clientInvalid, .paymentCancelled, .paymentInvalid, .paymentNotAllowed, .storeProductNotAvailable:
        return "payment"
    case .cloudServicePermissionDenied, .cloudServiceNetworkConnectionFailed, .cloudServiceRevoked,
        .privacyAcknowledgementRequired, .unauthorizedRequestData:
        return "customer"
    case .invalidOfferIdentifier, .invalidSignature, .missingOfferParams, .invalidOfferPrice, .ineligibleForOffer:
        return "offer"
    case .overlayCancelled, .overlayInvalidConfiguration, .overlayTimeout, .unsupportedPlatform,
        .overlayPresentedInBackgroundScene:
        return "overlay"
    @unknown default: return "newer"
    }
}
