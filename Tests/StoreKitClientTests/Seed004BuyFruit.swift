// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

// The listings of the tutorial with the app BuyFruit, word by word. Its alerts
// are UIKit's; here they are recorded.

private let IAPHelperProductPurchasedNotification = Notification.Name("IAPHelperProductPurchasedNotification")

private typealias RequestProductsCompletionHandler = (_ success: Bool, _ products: [SKProduct]?) -> Void

private final class IAPHelper: NSObject, SKProductsRequestDelegate, SKPaymentTransactionObserver {
    // You create an instance variable to store the SKProductsRequest you will issue to retrieve a list of products.
    private var _productsRequest: SKProductsRequest?
    private var _completionHandler: RequestProductsCompletionHandler?
    private var _productIdentifiers: Set<String>
    private var _purchasedProductIdentifiers: Set<String> = []
    let defaults: UserDefaults
    var messages: [String] = []

    init(productIdentifiers: Set<String>, defaults: UserDefaults) {
        // Store product identifiers
        _productIdentifiers = productIdentifiers
        self.defaults = defaults
        super.init()
        // Check for previously purchased products
        for productIdentifier in _productIdentifiers {
            let productPurchased = defaults.bool(forKey: productIdentifier)
            if productPurchased {
                _purchasedProductIdentifiers.insert(productIdentifier)
            }
        }
        SKPaymentQueue.default().add(self)
    }

    func requestProducts(completionHandler: @escaping RequestProductsCompletionHandler) {
        // a copy of the completion handler block inside the instance variable
        _completionHandler = completionHandler
        _productsRequest = SKProductsRequest(productIdentifiers: _productIdentifiers)
        _productsRequest?.delegate = self
        _productsRequest?.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        _productsRequest = nil
        let skProducts = response.products
        for skProduct in skProducts {
            messages.append(
                String(
                    format: "Found product: %@ – Product: %@ – Price: %0.2f", skProduct.productIdentifier,
                    skProduct.localizedTitle, skProduct.price.floatValue))
        }
        _completionHandler?(true, skProducts)
        _completionHandler = nil
    }

    func request(_ request: SKRequest, didFailWithError error: Error) {
        messages.append("Failed to load list of products.")
        _productsRequest = nil
        _completionHandler?(false, nil)
        _completionHandler = nil
    }

    func productPurchased(_ productIdentifier: String) -> Bool {
        _purchasedProductIdentifiers.contains(productIdentifier)
    }

    func buyProduct(_ product: SKProduct) {
        let payment = SKPayment(product: product)
        SKPaymentQueue.default().add(payment)
    }

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

    private func completeTransaction(_ transaction: SKPaymentTransaction) {
        provideContent(forProductIdentifier: transaction.payment.productIdentifier)
        SKPaymentQueue.default().finishTransaction(transaction)
        messages.append("Bought successfully!")
        defaults.set(true, forKey: transaction.payment.productIdentifier)
    }

    private func restoreTransaction(_ transaction: SKPaymentTransaction) {
        messages.append("Restored successfully!")
        provideContent(forProductIdentifier: transaction.original?.payment.productIdentifier ?? "")
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    private func failedTransaction(_ transaction: SKPaymentTransaction) {
        if (transaction.error as? SKError)?.code != .paymentCancelled {
            messages.append("Ups!")
        }
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    private func provideContent(forProductIdentifier productIdentifier: String) {
        _purchasedProductIdentifiers.insert(productIdentifier)
        defaults.set(true, forKey: productIdentifier)
        defaults.synchronize()
        NotificationCenter.default.post(
            name: IAPHelperProductPurchasedNotification, object: productIdentifier, userInfo: nil)
    }

    func restoreCompletedTransactions() {
        SKPaymentQueue.default().restoreCompletedTransactions()
    }
}

extension WithSession {
    @MainActor
    struct Seed004BuyFruit {
        private let session: SKTestSession
        private let helper: IAPHelper

        init() throws {
            session = try makeSession()
            let defaults = try #require(UserDefaults(suiteName: "com.example.listings-\(getpid())"))
            defaults.dictionaryRepresentation().keys.forEach(defaults.removeObject(forKey:))
            helper = IAPHelper(
                productIdentifiers: ["com.example.apple", "com.example.rocketCar"], defaults: defaults)
        }

        private func end() { SKPaymentQueue.default().remove(helper) }

        @Test("The app lists its products with their formatted prices")
        func productsAreListedWithTheirFormattedPrices() async throws {
            var products: [SKProduct] = []
            helper.requestProducts { success, list in products = success ? list! : [] }
            await mainQueueUpdates()

            let priceFormatter = NumberFormatter()
            priceFormatter.formatterBehavior = .behavior10_4
            priceFormatter.numberStyle = .currency
            let texts = products.sorted { $0.productIdentifier < $1.productIdentifier }.map { product -> String? in
                priceFormatter.locale = product.priceLocale
                return priceFormatter.string(from: product.price)
            }
            #expect(texts == ["$1.99", "$0.99"])
            #expect(helper.messages.contains("Found product: com.example.apple – Product: Apple – Price: 1.99"))
            end()
        }

        @Test("A bought fruit is unlocked, and stays unlocked after a relaunch")
        func aBoughtFruitIsUnlockedAndStaysSo() async throws {
            var product: SKProduct?
            helper.requestProducts { _, list in product = list?.first { $0.productIdentifier == "com.example.apple" } }
            await mainQueueUpdates()
            helper.buyProduct(try #require(product))
            await mainQueueUpdates()

            #expect(helper.productPurchased("com.example.apple"))
            #expect(helper.messages.contains("Bought successfully!"))
            end()
            let relaunched = IAPHelper(productIdentifiers: ["com.example.apple"], defaults: helper.defaults)
            #expect(relaunched.productPurchased("com.example.apple"))
            SKPaymentQueue.default().remove(relaunched)
        }

        @Test("A purchase from outside the app is restored") func whatWasBoughtElsewhereIsRestored() async throws {
            try session.buyProduct(productIdentifier: "com.example.rocketCar")
            helper.messages = []
            helper.restoreCompletedTransactions()
            await mainQueueUpdates()

            #expect(helper.messages == ["Restored successfully!"])
            #expect(helper.productPurchased("com.example.rocketCar"))
            end()
        }
    }
}
