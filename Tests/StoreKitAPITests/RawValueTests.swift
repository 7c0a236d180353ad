// SPDX-License-Identifier: Apache-2.0

import StoreKit
import Testing

/// The raw values that apps store, send and compare with.
struct RawValueTests {
    @Test("The states of a transaction have their raw values") func aTransactionState() {
        let states: [SKPaymentTransactionState] = [.purchasing, .purchased, .failed, .restored, .deferred]
        #expect(states.map(\.rawValue) == [0, 1, 2, 3, 4])
    }

    @Test("The units of a period have their raw values") func aPeriodsUnit() {
        let units: [SKProduct.PeriodUnit] = [.day, .week, .month, .year]
        #expect(units.map(\.rawValue) == [0, 1, 2, 3] as [UInt])
    }

    @Test("The payment modes and types of an offer have their raw values") func anOffersModeAndType() {
        let modes: [SKProductDiscount.PaymentMode] = [.payAsYouGo, .payUpFront, .freeTrial]
        #expect(modes.map(\.rawValue) == [0, 1, 2] as [UInt])
        let types: [SKProductDiscount.`Type`] = [.introductory, .subscription]
        #expect(types.map(\.rawValue) == [0, 1] as [UInt])
    }

    @Test("The states of a download have their raw values, and an unknown remaining time is -1")
    func aDownloadsState() {
        let states: [SKDownloadState] = [.waiting, .active, .paused, .finished, .failed, .cancelled]
        #expect(states.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect(SKDownloadTimeRemainingUnknown == -1)
    }

    @Test("The visibilities of a promotion have their raw values") func aPromotionsVisibility() {
        let all: [SKProductStorePromotionVisibility] = [.default, .show, .hide]
        #expect(all.map(\.rawValue) == [0, 1, 2])
    }

    @Test("The codes of an error have their raw values, and the domain has its name") func anErrorsCode() {
        let codes: [SKError.Code] = [
            .unknown, .clientInvalid, .paymentCancelled, .paymentInvalid, .paymentNotAllowed,
            .storeProductNotAvailable, .cloudServicePermissionDenied, .cloudServiceNetworkConnectionFailed,
            .cloudServiceRevoked, .privacyAcknowledgementRequired, .unauthorizedRequestData, .invalidOfferIdentifier,
            .invalidSignature, .missingOfferParams, .invalidOfferPrice, .overlayCancelled,
            .overlayInvalidConfiguration, .overlayTimeout, .ineligibleForOffer, .unsupportedPlatform,
            .overlayPresentedInBackgroundScene,
        ]
        #expect(codes.map(\.rawValue) == Array(0...20))
        #expect(SKErrorDomain == "SKErrorDomain")
    }

    /// A later store may add cases, and tests use values without a case.
    @Test("An extensible type keeps a raw value without a case") func aRawValueOfNoCaseIsKept() throws {
        let state = try #require(SKPaymentTransactionState(rawValue: 77))
        let transaction = SKPaymentTransaction()
        transaction.setValue(77, forKey: "transactionState")
        let type: SKProductDiscount.`Type`? = .init(rawValue: 77)

        #expect(word(for: state) == "unknown")
        #expect(transaction.transactionState == state)
        #expect(SKProduct.PeriodUnit(rawValue: 77)?.rawValue == 77)
        #expect(SKProductDiscount.PaymentMode(rawValue: 77)?.rawValue == 77)
        #expect(type?.rawValue == 77)
        #expect(SKError.Code(rawValue: 77).map { SKError($0).errorCode } == 77)
        #expect(SKDownloadState(rawValue: 77) == nil)
        #expect(SKProductStorePromotionVisibility(rawValue: 77) == nil)
    }

    private func word(for state: SKPaymentTransactionState) -> String {
        switch state {
        case .purchasing, .deferred: "open"
        case .purchased, .restored: "paid"
        case .failed: "failed"
        @unknown default: "unknown"
        }
    }

    @Test("The properties of a receipt request have their keys") func theKeysOfAReceiptRequest() {
        #expect(
            [SKReceiptPropertyIsExpired, SKReceiptPropertyIsRevoked, SKReceiptPropertyIsVolumePurchase]
                == ["expired", "revoked", "vpp"])
    }
}
