// SPDX-License-Identifier: Apache-2.0

#ifndef STOREKIT_ENUMERATIONS_H
#define STOREKIT_ENUMERATIONS_H

// Swift has no enumeration of its own that takes any number as a raw value
// and asks a switch for `@unknown default`. One of C that is open does, and
// it is what Apple's headers have. The names are those of Objective-C; Swift
// calls `SKProductPeriodUnitDay` `SKProduct.PeriodUnit.day`.

#define STOREKIT_OPEN __attribute__((enum_extensibility(open)))

/// What has become of a payment.
typedef enum STOREKIT_OPEN SKPaymentTransactionState : long {
    /// The store is at it. It can't be finished yet.
    SKPaymentTransactionStatePurchasing = 0,
    /// It is paid for: deliver, then finish.
    SKPaymentTransactionStatePurchased = 1,
    /// Nothing was bought; `error` says why. Finish it.
    SKPaymentTransactionStateFailed = 2,
    /// An earlier purchase is given back: deliver, then finish.
    SKPaymentTransactionStateRestored = 3,
    /// Somebody else has to decide; an update follows.
    SKPaymentTransactionStateDeferred = 4,
} SKPaymentTransactionState;

/// A unit of time that a subscription's period is counted in.
typedef enum STOREKIT_OPEN SKProductPeriodUnit : unsigned long {
    /// A day.
    SKProductPeriodUnitDay = 0,
    /// Seven days.
    SKProductPeriodUnitWeek = 1,
    /// A month of the calendar.
    SKProductPeriodUnitMonth = 2,
    /// A year of the calendar.
    SKProductPeriodUnitYear = 3,
} SKProductPeriodUnit;

/// How the customer pays for an offer.
typedef enum STOREKIT_OPEN SKProductDiscountPaymentMode : unsigned long {
    /// A reduced price for each period.
    SKProductDiscountPaymentModePayAsYouGo = 0,
    /// One payment for all periods.
    SKProductDiscountPaymentModePayUpFront = 1,
    /// Nothing.
    SKProductDiscountPaymentModeFreeTrial = 2,
} SKProductDiscountPaymentMode;

/// Whom an offer is for.
typedef enum STOREKIT_OPEN SKProductDiscountType : unsigned long {
    /// New subscribers.
    SKProductDiscountTypeIntroductory = 0,
    /// Present and former subscribers.
    SKProductDiscountTypeSubscription = 1,
} SKProductDiscountType;

/// What went wrong.
typedef enum STOREKIT_OPEN SKErrorCode : long {
    /// An unknown or unexpected error; the underlying error says more.
    SKErrorUnknown = 0,
    /// The client isn't allowed to do this.
    SKErrorClientInvalid = 1,
    /// The customer cancelled.
    SKErrorPaymentCancelled = 2,
    /// A parameter of the payment isn't valid.
    SKErrorPaymentInvalid = 3,
    /// The customer isn't allowed to pay.
    SKErrorPaymentNotAllowed = 4,
    /// The product isn't for sale in this storefront.
    SKErrorStoreProductNotAvailable = 5,
    /// The customer hasn't allowed access to the cloud service.
    SKErrorCloudServicePermissionDenied = 6,
    /// The cloud service can't be reached.
    SKErrorCloudServiceNetworkConnectionFailed = 7,
    /// The customer has taken back the permission for the cloud service.
    SKErrorCloudServiceRevoked = 8,
    /// The customer hasn't acknowledged the store's privacy policy.
    SKErrorPrivacyAcknowledgementRequired = 9,
    /// The app set `requestData` and isn't entitled to.
    SKErrorUnauthorizedRequestData = 10,
    /// The offer identifier is unknown or not active.
    SKErrorInvalidOfferIdentifier = 11,
    /// The offer's signature isn't valid.
    SKErrorInvalidSignature = 12,
    /// Parameters of the offer are missing.
    SKErrorMissingOfferParams = 13,
    /// The offer's price isn't valid.
    SKErrorInvalidOfferPrice = 14,
    /// The overlay was cancelled.
    SKErrorOverlayCancelled = 15,
    /// The overlay's configuration isn't valid.
    SKErrorOverlayInvalidConfiguration = 16,
    /// The overlay took too long.
    SKErrorOverlayTimeout = 17,
    /// The customer isn't eligible for the offer.
    SKErrorIneligibleForOffer = 18,
    /// This platform doesn't support it.
    SKErrorUnsupportedPlatform = 19,
    /// The overlay was asked for by a scene in the background.
    SKErrorOverlayPresentedInBackgroundScene = 20,
} SKErrorCode;

#endif
