// SPDX-License-Identifier: Apache-2.0

// Supports calls with a question mark; `SKRequestDelegate.swift` explains
// them.
extension SKPaymentQueueDelegate {
    /// The method, for calls of the form
    /// `delegate.paymentQueue?(queue, shouldContinue: transaction, in: storefront)`.
    public var paymentQueue: SKOptionalMethods.ShouldContinue? { .init(delegate: self) }
    /// The method, for calls of the form
    /// `delegate.paymentQueueShouldShowPriceConsent?(queue)`.
    public var paymentQueueShouldShowPriceConsent: SKOptionalMethods.ShouldShowPriceConsent? { .init(delegate: self) }
}

extension SKOptionalMethods {
    /// ``SKPaymentQueueDelegate/paymentQueue(_:shouldContinue:in:)``
    public struct ShouldContinue {
        let delegate: any SKPaymentQueueDelegate

        /// Calls the method; `nil` when the delegate doesn't implement it.
        public func callAsFunction(
            _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
            in newStorefront: SKStorefront
        ) -> Bool? {
            OptionalMethodProbe.answer("shouldContinue", of: delegate) {
                delegate.paymentQueue(paymentQueue, shouldContinue: transaction, in: newStorefront)
            }
        }
    }

    /// ``SKPaymentQueueDelegate/paymentQueueShouldShowPriceConsent(_:)``
    public struct ShouldShowPriceConsent {
        let delegate: any SKPaymentQueueDelegate

        /// Calls the method; `nil` when the delegate doesn't implement it.
        public func callAsFunction(_ paymentQueue: SKPaymentQueue) -> Bool? {
            OptionalMethodProbe.answer("shouldShowPriceConsent", of: delegate) {
                delegate.paymentQueueShouldShowPriceConsent(paymentQueue)
            }
        }
    }
}
