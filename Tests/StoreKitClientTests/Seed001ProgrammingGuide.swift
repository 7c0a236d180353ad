// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

// The listings of Apple's "In App Purchase Programming Guide", "Adding a Store
// to Your Application", word by word.

private let kMyFeatureIdentifier = "com.example.rocketCar"

private final class MyStore: NSObject, SKProductsRequestDelegate {
    var products: [SKProduct] = []

    func requestProductData() {
        let request = SKProductsRequest(productIdentifiers: [kMyFeatureIdentifier])
        request.delegate = self
        request.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        let myProduct = response.products
        // populate UI
        products = myProduct
    }
}

private final class MyStoreObserver: NSObject, SKPaymentTransactionObserver {
    var recorded: [String] = []
    var receipts: [Data] = []
    var provided: [String] = []
    var errors: [SKError.Code] = []

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased:
                completeTransaction(transaction)
            case .failed:
                failedTransaction(transaction)
            case .restored:
                restoreTransaction(transaction)
            default:
                break
            }
        }
    }

    func completeTransaction(_ transaction: SKPaymentTransaction) {
        // Your application should implement these two methods.
        recordTransaction(transaction)
        provideContent(transaction.payment.productIdentifier)
        // Remove the transaction from the payment queue.
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    func restoreTransaction(_ transaction: SKPaymentTransaction) {
        recordTransaction(transaction)
        provideContent(transaction.original?.payment.productIdentifier ?? "")
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    func failedTransaction(_ transaction: SKPaymentTransaction) {
        if (transaction.error as? SKError)?.code != SKError.paymentCancelled {
            // Optionally, display an error here.
            (transaction.error as? SKError).map { errors.append($0.code) }
        }
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    private func recordTransaction(_ transaction: SKPaymentTransaction) {
        // "Verifying Store Receipts" sends this to the application's server.
        if let receiptData = transaction.transactionReceipt { receipts.append(receiptData) }
        recorded.append(transaction.transactionIdentifier ?? "")
    }

    private func provideContent(_ productIdentifier: String) {
        provided.append(productIdentifier)
    }
}

extension WithSession {
    @MainActor
    struct Seed001ProgrammingGuide {
        private let session: SKTestSession
        private let observer = MyStoreObserver()

        init() throws {
            session = try makeSession()
            SKPaymentQueue.default().add(observer)
        }

        @Test("The app shows its products if the device allows payments")
        func aStoreThatMayBeUsedShowsItsProducts() async {
            #expect(SKPaymentQueue.canMakePayments())
            let store = MyStore()
            store.requestProductData()
            await mainQueueUpdates()

            #expect(store.products.map(\.localizedTitle) == ["Rocket Car"])
            SKPaymentQueue.default().remove(observer)
        }

        @Test("The app provides the content of a payment that it made by identifier")
        func aPaymentByIdentifierIsProvided() async {
            let payment = SKPayment(productIdentifier: kMyFeatureIdentifier)
            SKPaymentQueue.default().add(payment)
            await mainQueueUpdates()

            #expect(observer.provided == [kMyFeatureIdentifier])
            #expect(observer.recorded == session.allTransactions().map { "\($0.identifier)" })
            SKPaymentQueue.default().remove(observer)
        }

        @Test("Three pieces of a product are one payment") func severalOfAProductAreOnePayment() async throws {
            let payment = SKMutablePayment(productIdentifier: "com.example.seeds")
            payment.quantity = 3
            SKPaymentQueue.default().add(payment)
            await mainQueueUpdates()

            #expect(observer.provided == ["com.example.seeds"])
            SKPaymentQueue.default().remove(observer)
        }

        @Test("A transaction's receipt is of that transaction")
        func theTransactionsReceiptIsOfThatTransaction() async throws {
            SKPaymentQueue.default().add(SKPayment(productIdentifier: "com.example.apple"))
            SKPaymentQueue.default().add(SKPayment(productIdentifier: "com.example.seeds"))
            await mainQueueUpdates()

            let sent = try observer.receipts.map { try UnverifiedTransactionReceipt(parsing: $0).contents }
            #expect(sent.map(\.productIdentifier) == ["com.example.apple", "com.example.seeds"])
            #expect(sent.map(\.transactionIdentifier) == observer.recorded)
            SKPaymentQueue.default().remove(observer)
        }

        @Test("A restored purchase names its product in its original transaction")
        func aRestoredPurchaseIsKnownByItsOriginal() async {
            SKPaymentQueue.default().add(SKPayment(productIdentifier: kMyFeatureIdentifier))
            await mainQueueUpdates()
            SKPaymentQueue.default().restoreCompletedTransactions()
            await mainQueueUpdates()

            #expect(observer.provided == [kMyFeatureIdentifier, kMyFeatureIdentifier])
            #expect(Set(observer.recorded).count == 2)
            SKPaymentQueue.default().remove(observer)
        }

        @Test("A cancelled payment shows no error, and an invalid payment shows one")
        func onlyACancelledPaymentIsNoErrorToShow() async throws {
            session.disableDialogs = false
            SKPaymentQueue.default().add(SKPayment(productIdentifier: kMyFeatureIdentifier))
            try session.cancelDialogs()
            await mainQueueUpdates()
            #expect(observer.errors.isEmpty)

            SKPaymentQueue.default().add(SKPayment(productIdentifier: "com.example.nothing"))
            await mainQueueUpdates()
            #expect(observer.errors == [.paymentInvalid])
            SKPaymentQueue.default().remove(observer)
        }
    }
}
