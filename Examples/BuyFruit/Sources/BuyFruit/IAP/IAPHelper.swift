// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

extension Notification.Name {
    /// A product was bought or restored; the object is its identifier.
    static let IAPHelperProductPurchased = Notification.Name("IAPHelperProductPurchasedNotification")
    /// Transactions were added to the queue, updated or removed, or the
    /// receipt is new.
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
    let books: RecipeBooks
    /// The downloads of unfinished transactions, by their products.
    var downloads: [String: SKDownload] = [:]
    /// The states of the downloads at the last update.
    var states: [String: SKDownloadState] = [:]
    private let productIdentifiers: Set<String>
    /// The products that the customer has asked for since launch, and that
    /// haven't come yet. A renewal comes without.
    private var askedProductIdentifiers: Set<String> = []
    // The request under way, and the handlers to call with its response.
    private var productsRequest: SKProductsRequest?
    private var completionHandlers: [RequestProductsCompletionHandler] = []
    private var receiptRequest: SKReceiptRefreshRequest?
    private var restored = 0

    /// Registers the helper as a payment queue observer. Create it as soon as
    /// the app is launched.
    init(
        productIdentifiers: Set<String>, consumableIdentifiers: Set<String> = [],
        subscriptionIdentifiers: Set<String> = [], books: RecipeBooks = RecipeBooks()
    ) {
        self.productIdentifiers = productIdentifiers
        self.books = books
        purchases = Purchases(
            productIdentifiers: productIdentifiers, consumableIdentifiers: consumableIdentifiers,
            subscriptionIdentifiers: subscriptionIdentifiers)
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

    /// Requests a new receipt. The store makes it with the account's time, so
    /// that it shows whether a subscription has ended.
    func refreshReceipt() {
        guard receiptRequest == nil else { return }
        let request = SKReceiptRefreshRequest()
        request.delegate = self
        receiptRequest = request
        request.start()
    }

    func buyProduct(_ product: SKProduct) {
        NSLog("%@", "Buying \(product.productIdentifier)…")
        askedProductIdentifiers.insert(product.productIdentifier)
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
        NSLog("%@", "Loaded products…")
        for product in response.products {
            NSLog(
                "%@",
                "Found product: \(product.productIdentifier) – Product: \(product.localizedTitle) – Price: \(product.price)"
            )
        }
        endRequest(success: true, products: response.products)
    }

    func requestDidFinish(_ request: SKRequest) {
        guard request === receiptRequest else { return }
        receiptRequest = nil
        NotificationCenter.default.post(name: .IAPHelperQueueChanged, object: nil)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        guard request !== receiptRequest else {
            // The receipt on disk stays.
            receiptRequest = nil
            NSLog("%@", "Failed to refresh the receipt: \(error.localizedDescription)")
            return
        }
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
        for transaction in transactions { downloads[transaction.payment.productIdentifier] = nil }
        NotificationCenter.default.post(name: .IAPHelperQueueChanged, object: nil)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        updated(downloads)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        if restored == 0 { presentAlert(Alert(title: "There is nothing to restore.")) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        presentError(error)
    }

    private func completeTransaction(_ transaction: SKPaymentTransaction) {
        NSLog("%@", "completeTransaction…")
        let productIdentifier = transaction.payment.productIdentifier
        let hasContent = !transaction.downloads.isEmpty
        let isNew = !purchases.isPurchased(productIdentifier)
        purchases.provideContent(for: transaction)
        if !downloadContent(of: transaction) { SKPaymentQueue.default().finishTransaction(transaction) }
        // A transaction with content comes again at each launch until its
        // content is there.
        if isNew || !hasContent { presentThanks(for: productIdentifier) }
    }

    /// Thanks for a purchase, or confirms a change of plan that begins later.
    /// A renewal needs no alert: the customer has just done something else.
    private func presentThanks(for productIdentifier: String) {
        let wasAsked = askedProductIdentifiers.remove(productIdentifier) != nil
        let isSubscription = purchases.isSubscription(productIdentifier)
        guard wasAsked || !isSubscription else { return }
        if isSubscription, let subscription = Subscription.current, subscription.product != productIdentifier {
            presentAlert(
                Alert(
                    title: "Your plan will change",
                    message: "It changes on \(subscription.endText). Nothing was charged."))
        } else {
            presentAlert(Alert(title: "Bought successfully!", message: "Thank you for your purchase. Enjoy!"))
        }
    }

    private func restoreTransaction(_ transaction: SKPaymentTransaction) {
        NSLog("%@", "restoreTransaction…")
        restored += 1
        purchases.provideContent(for: transaction)
        guard !downloadContent(of: transaction) else { return }
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    private func failedTransaction(_ transaction: SKPaymentTransaction) {
        NSLog("%@", "failedTransaction…")
        askedProductIdentifiers.remove(transaction.payment.productIdentifier)
        if let error = transaction.error { presentError(error) }
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    /// Shows an error to the customer, unless the customer cancelled the
    /// payment.
    private func presentError(_ error: any Error) {
        if (error as? SKError)?.code == .paymentCancelled { return }
        NSLog("%@", "Transaction error: \(error.localizedDescription)")
        presentAlert(Alert(title: "Ups!", message: error.localizedDescription))
    }
}
