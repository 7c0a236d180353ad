// SPDX-License-Identifier: Apache-2.0

#ifndef STOREKIT_ENUMERATIONS_H
#define STOREKIT_ENUMERATIONS_H

// A Swift enumeration can't accept any number as a raw value and require
// `@unknown default` in a switch. An open enumeration of C does, and Apple's
// headers use it. The names are those of Objective-C; Swift imports
// `SKProductPeriodUnitDay` as `SKProduct.PeriodUnit.day`.

#define STOREKIT_OPEN __attribute__((enum_extensibility(open)))

/// The state of a transaction.
typedef enum STOREKIT_OPEN SKPaymentTransactionState : long {
    /// The store is processing the payment. It can't be finished yet.
    SKPaymentTransactionStatePurchasing = 0,
    /// The customer has paid. Deliver the purchase, then finish the
    /// transaction.
    SKPaymentTransactionStatePurchased = 1,
    /// The payment failed; see `error`. Finish the transaction.
    SKPaymentTransactionStateFailed = 2,
    /// An earlier purchase is restored. Deliver it, then finish the
    /// transaction.
    SKPaymentTransactionStateRestored = 3,
    /// The payment waits for an approval; an update follows.
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
    /// No payment.
    SKProductDiscountPaymentModeFreeTrial = 2,
} SKProductDiscountPaymentMode;

/// The customers that an offer is for.
typedef enum STOREKIT_OPEN SKProductDiscountType : unsigned long {
    /// New subscribers.
    SKProductDiscountTypeIntroductory = 0,
    /// Present and former subscribers.
    SKProductDiscountTypeSubscription = 1,
} SKProductDiscountType;

/// The codes of StoreKit's errors.
typedef enum STOREKIT_OPEN SKErrorCode : long {
    /// An unknown or unexpected error; the underlying error has the details.
    SKErrorUnknown = 0,
    /// The client isn't allowed to perform the operation.
    SKErrorClientInvalid = 1,
    /// The customer cancelled.
    SKErrorPaymentCancelled = 2,
    /// A parameter of the payment isn't valid.
    SKErrorPaymentInvalid = 3,
    /// The customer isn't allowed to pay.
    SKErrorPaymentNotAllowed = 4,
    /// The product isn't for sale in this storefront.
    SKErrorStoreProductNotAvailable = 5,
    /// The customer doesn't allow access to the cloud service.
    SKErrorCloudServicePermissionDenied = 6,
    /// The cloud service can't be reached.
    SKErrorCloudServiceNetworkConnectionFailed = 7,
    /// The customer has revoked the permission for the cloud service.
    SKErrorCloudServiceRevoked = 8,
    /// The customer must acknowledge the store's privacy policy first.
    SKErrorPrivacyAcknowledgementRequired = 9,
    /// The app has set `requestData` without being entitled to.
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
    /// The platform doesn't support the operation.
    SKErrorUnsupportedPlatform = 19,
    /// A scene in the background requested the overlay.
    SKErrorOverlayPresentedInBackgroundScene = 20,
} SKErrorCode;

#endif
