// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Makes the app's decisions for the payment queue.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Returns whether to continue a pending payment after a change of the
    /// storefront. Optional.
    ///
    /// The delegate of the default queue is called on the main queue, after
    /// the observers. With `false` the payment fails with
    /// `storeProductNotAvailable`, unless the store has decided it already.
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool
    /// Returns whether the store may ask the customer now to agree to the
    /// higher price of a subscription. Optional.
    ///
    /// The delegate of the default queue is called on the main queue, once in
    /// a launch for each price increase, while the app has an observer. With
    /// `false`, the app calls ``SKPaymentQueue/showPriceConsentIfNeeded()``
    /// later.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
    /// `true`.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        OptionalMethodProbe.note("shouldContinue", of: self)
        return true
    }
    /// `true`.
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        OptionalMethodProbe.note("shouldShowPriceConsent", of: self)
        return true
    }
}
