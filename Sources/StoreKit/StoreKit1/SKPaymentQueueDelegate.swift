// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Decides for the payment queue where the app has a say.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a payment that is under way goes on after the storefront
    /// changed. Optional.
    ///
    /// Asked of the default queue's delegate, on the main queue, after the
    /// observers heard of the change. With `false` the payment fails as
    /// `storeProductNotAvailable`, unless the store has decided about it by
    /// then.
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool
    /// Whether the store may ask for consent to a higher price now. Optional;
    /// not asked so far, because the store sells no subscriptions.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
    /// `true`.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        MissingMethod.note("shouldContinue", of: self)
        return true
    }
    /// `true`.
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        MissingMethod.note("shouldShowPriceConsent", of: self)
        return true
    }
}
