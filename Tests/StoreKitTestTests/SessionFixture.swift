// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// A configuration file of a test's own.
struct Configuration {
    let folder: TemporaryFolder
    let url: URL

    init(settings: String = "") throws {
        folder = try TemporaryFolder()
        url = URL(fileURLWithPath: folder.path("Fruit.storekit"))
        try Data(Self.text(settings: settings).utf8).write(to: url)
    }

    func session() throws -> SKTestSession {
        let session = try SKTestSession(contentsOf: url)
        session.disableDialogs = true
        return session
    }

    private static func subscription(_ identifier: String, _ price: String, _ period: String, _ level: Int) -> String {
        """
        { "productID" : "\(identifier)", "referenceName" : "\(identifier)", "displayPrice" : "\(price)",
          "internalID" : "\(identifier)", "familyShareable" : false, "type" : "RecurringSubscription",
          "recurringSubscriptionPeriod" : "\(period)", "groupNumber" : \(level), "subscriptionGroupID" : "BASKETS",
          "localizations" : [] }
        """
    }

    private static func text(settings: String) -> String {
        """
        {
          "products" : [
            { "displayPrice" : "0.99", "familyShareable" : false, "internalID" : "1", "productID" : "apple",
              "referenceName" : "Apple", "type" : "NonConsumable", "localizations" : [
                { "description" : "A red apple", "displayName" : "Apple", "locale" : "en_US" },
                { "description" : "Ein roter Apfel", "displayName" : "Apfel", "locale" : "de_DE" } ] },
            { "displayPrice" : "0.49", "familyShareable" : false, "internalID" : "2", "productID" : "juice",
              "referenceName" : "Juice", "type" : "Consumable", "localizations" : [
                { "description" : "A glass", "displayName" : "Juice", "locale" : "en_US" } ] }
          ],
          "settings" : { \(settings) },
          "subscriptionGroups" : [
            { "id" : "BASKETS", "name" : "Baskets", "localizations" : [], "subscriptions" : [
              \(subscription("large", "9.99", "P1M", 1)), \(subscription("small", "4.99", "P1M", 2)) ] }
          ],
          "version" : { "major" : 2, "minor" : 0 }
        }
        """
    }
}

/// An app that finishes decided transactions and records its updates.
@MainActor
final class App: NSObject, @preconcurrency SKPaymentTransactionObserver {
    private(set) var heard: [String] = []
    private(set) var errors: [SKError.Code] = []
    /// The errors below that of the last failure, each as its domain and code.
    private(set) var causes: [String] = []
    var finishes = true

    override init() {
        super.init()
        SKPaymentQueue.default().add(self)
    }

    func quit() {
        SKPaymentQueue.default().remove(self)
    }

    func buy(_ product: String) async {
        SKPaymentQueue.default().add(SKPayment(productIdentifier: product))
        await mainQueueUpdates()
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            let state: String
            switch transaction.transactionState {
            case .purchasing: state = "purchasing"
            case .purchased: state = "purchased"
            case .failed: state = "failed"
            case .restored: state = "restored"
            case .deferred: state = "deferred"
            @unknown default: state = "unknown"
            }
            heard.append("\(state) \(transaction.payment.productIdentifier)")
            if let error = transaction.error as? SKError {
                errors.append(error.code)
                let below = sequence(first: error as NSError) { $0.userInfo[NSUnderlyingErrorKey] as? NSError }
                causes = below.dropFirst().map { "\($0.domain) \($0.code)" }
            }
            guard finishes, transaction.transactionState != .purchasing, transaction.transactionState != .deferred
            else {
                continue
            }
            queue.finishTransaction(transaction)
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        heard += transactions.map { "removed \($0.payment.productIdentifier)" }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        heard += productIdentifiers.map { "revoked \($0)" }
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        heard.append("storefront \(queue.storefront?.countryCode ?? "none")")
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        heard.append("restore finished")
    }
}

/// An observer that is asked about purchases from outside of the app.
@MainActor
final class Shop: NSObject, @preconcurrency SKPaymentTransactionObserver {
    private let answer: Bool
    private(set) var asked: [String] = []
    private(set) var kept: [SKPayment] = []

    init(answer: Bool) {
        self.answer = answer
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        asked.append(product.productIdentifier)
        kept.append(payment)
        return answer
    }
}

/// The address with which the app is opened when a customer begins a purchase
/// outside of it.
func purchaseAddress(_ product: String) throws -> URL {
    let bundle = try AgentHost.appUnderTest().bundleIdentifier
    return try #require(
        URL(string: "itms-services://?action=purchaseIntent&bundleId=\(bundle)&productIdentifier=\(product)"))
}
