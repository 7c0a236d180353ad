// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKPaymentTransactionObserverAPI(
    _ observer: any SKPaymentTransactionObserver, _ queue: SKPaymentQueue, _ transactions: [SKPaymentTransaction],
    _ downloads: [SKDownload], _ payment: SKPayment, _ product: SKProduct, _ error: any Error
) {
    let _: any NSObjectProtocol = observer
    let _: () = observer.paymentQueue(queue, updatedTransactions: transactions)
    let _: () = observer.paymentQueue(queue, removedTransactions: transactions)
    let _: () = observer.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error)
    let _: () = observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
    let _: () = observer.paymentQueue(queue, updatedDownloads: downloads)
    let _: Bool = observer.paymentQueue(queue, shouldAddStorePayment: payment, for: product)
    let _: () = observer.paymentQueueDidChangeStorefront(queue)
    let _: () = observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: ["com.example.apple"])
}

/// Only one method is required.
final class Observer: NSObject, SKPaymentTransactionObserver {
    var seen: [SKPaymentTransactionState] = []
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        seen += transactions.map(\.transactionState)
        for transaction in transactions where transaction.transactionState != .purchasing {
            queue.finishTransaction(transaction)
        }
    }
}

/// An observer of an app whose purchases are handled on the main actor.
@MainActor
final class MainActorObserver: NSObject, @preconcurrency SKPaymentTransactionObserver {
    var seen = 0
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        seen += transactions.count
    }
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {}
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {}
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool { true }
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {}
}
