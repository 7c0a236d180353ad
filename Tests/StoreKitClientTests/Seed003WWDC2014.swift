// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

// The listings of the slides "Optimizing In-App Purchases" of 2014, word by
// word.

private final class YourObserver: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
    private var request: SKProductsRequest?
    var product: SKProduct?
    var receipts: [Data] = []
    var waiting: [String] = []
    var downloaded: [URL] = []
    var restoreEnded = false

    // Fetch product info.
    func fetch(_ productIdentifiers: [String]) {
        let identifierSet = Set(productIdentifiers)
        let request = SKProductsRequest(productIdentifiers: identifierSet)
        request.delegate = self
        request.start()
        self.request = request
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        product = response.products.first
    }

    // Handle events.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased:
                let receiptURL = Bundle.main.appStoreReceiptURL
                let receipt = receiptURL.flatMap { try? Data(contentsOf: $0) }
                // Process the transaction
                if let receipt = receipt { receipts.append(receipt) }
                SKPaymentQueue.default().finishTransaction(transaction)
            case .deferred:
                // Allow the user to continue to use the app
                // It may be some time before the transaction is updated
                // Do not get stuck in a modal "Purchasing..." state!
                waiting.append(transaction.payment.productIdentifier)
            case .failed, .restored:
                SKPaymentQueue.default().finishTransaction(transaction)
            case .purchasing:
                break
            @unknown default:
                break
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            _ = download.progress
            _ = download.timeRemaining
            _ = download.error
            if download.state == .finished, let contentURL = download.contentURL { downloaded.append(contentURL) }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {}

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        // Inspect the receipt and unlock content and features accordingly
        restoreEnded = true
    }
}

extension WithSession {
    @MainActor
    struct Seed003WWDC2014 {
        private let session: SKTestSession
        private let yourObserver = YourObserver()

        init() throws {
            session = try makeSession()
            // On launch: start observing the payment queue.
            SKPaymentQueue.default().add(yourObserver)
        }

        @Test("A price is formatted by the product's locale") func aPriceIsFormattedByTheProductsLocale() async throws {
            session.storefront = "DEU"
            yourObserver.fetch(["com.example.apple"])
            await mainQueueUpdates()
            let product = try #require(yourObserver.product)

            let numberFormatter = NumberFormatter()
            numberFormatter.numberStyle = .currency
            numberFormatter.locale = product.priceLocale
            let formattedString = numberFormatter.string(from: product.price)

            #expect(formattedString == "1,99\u{a0}€")
            SKPaymentQueue.default().remove(yourObserver)
        }

        @Test("The receipt includes a product when its purchase is delivered")
        func whatIsPurchasedIsInTheReceiptByThen() async throws {
            yourObserver.fetch(["com.example.rocketCar"])
            await mainQueueUpdates()
            let product = try #require(yourObserver.product)
            let payment = SKPayment(product: product)
            SKPaymentQueue.default().add(payment)
            await mainQueueUpdates()

            let receipt = try #require(yourObserver.receipts.first)
            #expect(receipt.range(of: Data("com.example.rocketCar".utf8)) != nil)
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            SKPaymentQueue.default().remove(yourObserver)
        }

        @Test("A deferred purchase goes on when it is approved") func aDeferredPurchaseGoesOnLater() async throws {
            session.askToBuyEnabled = true
            SKPaymentQueue.default().add(SKPayment(productIdentifier: "com.example.apple"))
            await mainQueueUpdates()
            #expect(yourObserver.waiting == ["com.example.apple"])
            #expect(yourObserver.receipts.isEmpty)

            let transaction = try #require(session.allTransactions().first)
            #expect(transaction.pendingAskToBuyConfirmation)
            try session.approveAskToBuyTransaction(identifier: transaction.identifier)

            #expect(yourObserver.receipts.count == 1)
            SKPaymentQueue.default().remove(yourObserver)
        }

        @Test("A restore without purchases reports its end") func restoringEndsWhenAllHasCome() async {
            SKPaymentQueue.default().restoreCompletedTransactions()
            await mainQueueUpdates()
            #expect(yourObserver.restoreEnded)
            SKPaymentQueue.default().remove(yourObserver)
        }
    }
}
