// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Decides for the payment queue where the app has a say.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a transaction goes on after the storefront changed. Optional;
    /// not asked so far, because the store decides each payment in the
    /// storefront in which it was begun.
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
    ) -> Bool { true }
    /// `true`.
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}
