// SPDX-License-Identifier: Apache-2.0

// Supports calls with a question mark; `SKRequestDelegate.swift` explains
// them.
extension SKPaymentTransactionObserver {
    /// The methods of this name, for calls of the form
    /// `observer.paymentQueue?(queue, removedTransactions: transactions)`.
    public var paymentQueue: SKOptionalMethods.PaymentQueue? { .init(observer: self) }
    /// The method, for calls of the form
    /// `observer.paymentQueueRestoreCompletedTransactionsFinished?(queue)`.
    public var paymentQueueRestoreCompletedTransactionsFinished: SKOptionalMethods.RestoreFinished? {
        .init(observer: self)
    }
    /// The method, for calls of the form
    /// `observer.paymentQueueDidChangeStorefront?(queue)`.
    public var paymentQueueDidChangeStorefront: SKOptionalMethods.DidChangeStorefront? { .init(observer: self) }
}

extension SKOptionalMethods {
    /// The methods of ``SKPaymentTransactionObserver`` with the name
    /// `paymentQueue`.
    public struct PaymentQueue {
        let observer: any SKPaymentTransactionObserver

        /// Calls the method.
        public func callAsFunction(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            observer.paymentQueue(queue, updatedTransactions: transactions)
        }

        /// Calls the method.
        public func callAsFunction(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
            observer.paymentQueue(queue, removedTransactions: transactions)
        }

        /// Calls the method.
        public func callAsFunction(
            _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
        ) {
            observer.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error)
        }

        /// Calls the method.
        public func callAsFunction(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
            observer.paymentQueue(queue, updatedDownloads: downloads)
        }

        /// Calls the method; `nil` when the observer doesn't implement it.
        public func callAsFunction(
            _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
        ) -> Bool? {
            OptionalMethodProbe.answer("shouldAddStorePayment", of: observer) {
                observer.paymentQueue(queue, shouldAddStorePayment: payment, for: product)
            }
        }

        /// Calls the method.
        public func callAsFunction(
            _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
        ) {
            observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: productIdentifiers)
        }
    }

    /// ``SKPaymentTransactionObserver/paymentQueueRestoreCompletedTransactionsFinished(_:)``
    public struct RestoreFinished {
        let observer: any SKPaymentTransactionObserver

        /// Calls the method.
        public func callAsFunction(_ queue: SKPaymentQueue) {
            observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
        }
    }

    /// ``SKPaymentTransactionObserver/paymentQueueDidChangeStorefront(_:)``
    public struct DidChangeStorefront {
        let observer: any SKPaymentTransactionObserver

        /// Calls the method.
        public func callAsFunction(_ queue: SKPaymentQueue) {
            observer.paymentQueueDidChangeStorefront(queue)
        }
    }
}
