// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

extension Notification.Name {
    /// A product was bought or restored; the object is its identifier.
    static let IAPHelperProductPurchased = Notification.Name("IAPHelperProductPurchasedNotification")
    /// Transactions were added to the queue, updated or removed.
    static let IAPHelperQueueChanged = Notification.Name("IAPHelperQueueChangedNotification")
}

/// The tutorial's helper class: requests products, buys, restores, and
/// records purchases. It contains nothing that is specific to one app.
@MainActor
class IAPHelper: NSObject {
    typealias RequestProductsCompletionHandler = (_ success: Bool, _ products: [SKProduct]) -> Void

    /// Shows an alert with an OK button.
    var presentAlert: (Alert) -> Void = { _ in }

    let purchases: Purchases
    private let productIdentifiers: Set<String>
    // The request under way, and the handlers to call with its response.
    private var productsRequest: SKProductsRequest?
    private var completionHandlers: [RequestProductsCompletionHandler] = []
    private var restored = 0

    /// Registers the helper as a payment queue observer. Create it as soon as
    /// the app is launched.
    init(productIdentifiers: Set<String>, consumableIdentifiers: Set<String> = []) {
        self.productIdentifiers = productIdentifiers
        purchases = Purchases(productIdentifiers: productIdentifiers, consumableIdentifiers: consumableIdentifiers)
        super.init()
        SKPaymentQueue.default().add(self)
    }

    func requestProducts(completionHandler: @escaping RequestProductsCompletionHandler) {
        completionHandlers.append(completionHandler)
        guard productsRequest == nil else { return }
        let request = SKProductsRequest(productIdentifiers: productIdentifiers)
        request.delegate = self
        productsRequest = request
        request.start()
    }

    func buyProduct(_ product: SKProduct) {
        SKPaymentQueue.default().add(SKPayment(product: product))
    }

    func restoreCompletedTransactions() {
        restored = 0
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    /// Whether a payment for the product is under way.
    func isBuying(_ productIdentifier: String) -> Bool {
        SKPaymentQueue.default().transactions.contains {
            $0.transactionState == .purchasing && $0.payment.productIdentifier == productIdentifier
        }
    }

    /// Whether a payment for the product waits for approval (Ask to Buy).
    func isWaitingForApproval(_ productIdentifier: String) -> Bool {
        SKPaymentQueue.default().transactions.contains {
            $0.transactionState == .deferred && $0.payment.productIdentifier == productIdentifier
        }
    }
}

extension IAPHelper: @preconcurrency SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        endRequest(success: true, products: response.products)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        NSLog("%@", "Failed to load list of products: \(error.localizedDescription)")
        presentAlert(Alert(title: "Failed to load list of products."))
        endRequest(success: false, products: [])
    }

    private func endRequest(success: Bool, products: [SKProduct]) {
        productsRequest = nil
        let handlers = completionHandlers
        completionHandlers = []
        for handler in handlers { handler(success, products) }
    }
}

extension IAPHelper: @preconcurrency SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased: completeTransaction(transaction)
            case .failed: failedTransaction(transaction)
            case .restored: restoreTransaction(transaction)
            case .purchasing, .deferred: break
            @unknown default: break
            }
        }
        // One alert for all transactions that were restored together.
        if transactions.contains(where: { $0.transactionState == .restored }) {
            presentAlert(Alert(title: "Restored successfully!", message: "Enjoy!"))
        }
        NotificationCenter.default.post(name: .IAPHelperQueueChanged, object: nil)
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        purchases.forget(transactions)
        NotificationCenter.default.post(name: .IAPHelperQueueChanged, object: nil)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        if restored == 0 { presentAlert(Alert(title: "There is nothing to restore.")) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        presentError(error)
    }

    private func completeTransaction(_ transaction: SKPaymentTransaction) {
        purchases.provideContent(for: transaction)
        SKPaymentQueue.default().finishTransaction(transaction)
        presentAlert(Alert(title: "Bought successfully!", message: "Thank you for your purchase. Enjoy!"))
    }

    private func restoreTransaction(_ transaction: SKPaymentTransaction) {
        restored += 1
        purchases.provideContent(for: transaction)
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    private func failedTransaction(_ transaction: SKPaymentTransaction) {
        if let error = transaction.error { presentError(error) }
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    /// Shows an error to the customer, unless the customer cancelled the
    /// payment.
    private func presentError(_ error: any Error) {
        if (error as? SKError)?.code == .paymentCancelled { return }
        presentAlert(Alert(title: "Ups!", message: error.localizedDescription))
    }
}
