// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

// The listings of Apple's chapter "Delivering Products", word by word.

/// The members that the listings use of UserDefaults and of iCloud's
/// key-value store, in the branches of their `USE_ICLOUD_STORAGE`.
private protocol Storage {
    func set(_ value: Bool, forKey key: String)
    func set(_ value: Any?, forKey key: String)
    func array(forKey key: String) -> [Any]?
    @discardableResult func synchronize() -> Bool
}

extension UserDefaults: Storage {}
extension NSUbiquitousKeyValueStore: Storage {}

private final class Observer: NSObject, SKPaymentTransactionObserver {
    let storage: any Storage
    var completed: [String] = []
    var failed: [String] = []
    var restored: [String] = []
    var isIgnoring = false

    init(storage: any Storage) {
        self.storage = storage
    }

    // Listing 4-2.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        if isIgnoring { return }
        for transaction in transactions {
            switch transaction.transactionState {
            // Call the appropriate custom method.
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
        completed.append(transaction.payment.productIdentifier)
        persistValue()
        persistReceipt(of: transaction)
        finish(transaction)
    }

    private func failedTransaction(_ transaction: SKPaymentTransaction) {
        failed.append(transaction.payment.productIdentifier)
        finish(transaction)
    }

    private func restoreTransaction(_ transaction: SKPaymentTransaction) {
        restored.append(transaction.original?.payment.productIdentifier ?? "")
        finish(transaction)
    }

    // Persisting a value in User Defaults or iCloud.
    private func persistValue() {
        storage.set(true, forKey: "enable_rocket_car")
        storage.set(15, forKey: "highest_unlocked_level")

        storage.synchronize()
    }

    // Persisting a receipt in User Defaults or iCloud.
    private func persistReceipt(of transaction: SKPaymentTransaction) {
        guard let newReceipt = transaction.transactionReceipt else { return }
        let savedReceipts = storage.array(forKey: "receipts")
        if let savedReceipts = savedReceipts {
            // Adding another receipt
            let updatedReceipts = savedReceipts + [newReceipt]
            storage.set(updatedReceipts, forKey: "receipts")
        } else {
            // Storing the first receipt
            storage.set([newReceipt], forKey: "receipts")
        }

        storage.synchronize()
    }

    // Finishing the transaction.
    private func finish(_ transaction: SKPaymentTransaction) {
        SKPaymentQueue.default().finishTransaction(transaction)
    }
}

extension WithSession {
    @MainActor
    struct Seed000DeliveringProducts {
        private let session: SKTestSession
        private let storage: UserDefaults
        private let observer: Observer

        init() throws {
            session = try makeSession()
            storage = try #require(UserDefaults(suiteName: "com.example.listings-\(getpid())"))
            storage.dictionaryRepresentation().keys.forEach(storage.removeObject(forKey:))
            observer = Observer(storage: storage)
        }

        private func launch() {
            // Listing 4-1: registering the transaction queue observer.
            SKPaymentQueue.default().add(observer)
        }

        private func quit() {
            SKPaymentQueue.default().remove(observer)
        }

        @Test("A purchase is delivered, persisted and finished") func aPurchaseIsDeliveredPersistedAndFinished() async {
            launch()
            SKPaymentQueue.default().add(SKPayment(productIdentifier: "com.example.rocketCar"))
            await mainQueueUpdates()

            #expect(observer.completed == ["com.example.rocketCar"])
            #expect(storage.bool(forKey: "enable_rocket_car"))
            #expect(storage.integer(forKey: "highest_unlocked_level") == 15)
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            quit()
        }

        @Test("A purchase is persisted in the key-value store of the account")
        func aPurchaseIsPersistedInTheKeyValueStoreOfTheAccount() async throws {
            let storage = NSUbiquitousKeyValueStore.default
            let observer = Observer(storage: storage)
            SKPaymentQueue.default().add(observer)
            for product in ["com.example.rocketCar", "com.example.seeds"] {
                SKPaymentQueue.default().add(SKPayment(productIdentifier: product))
                await mainQueueUpdates()
            }

            #expect(observer.completed == ["com.example.rocketCar", "com.example.seeds"])
            #expect(storage.bool(forKey: "enable_rocket_car"))
            #expect(storage.longLong(forKey: "highest_unlocked_level") == 15)
            let receipts = try #require(storage.array(forKey: "receipts") as? [Data])
            #expect(receipts.count == 2 && Set(receipts).count == 2)
            SKPaymentQueue.default().remove(observer)
        }

        @Test("The receipt includes the purchased product, and no other")
        func theReceiptIncludesTheProduct() async throws {
            launch()
            SKPaymentQueue.default().add(SKPayment(productIdentifier: "com.example.rocketCar"))
            await mainQueueUpdates()

            // Unlocking app functionality.
            let receiptURL = try #require(Bundle.main.appStoreReceiptURL)
            let receiptData = try Data(contentsOf: receiptURL)
            // Custom method to work with receipts
            let rocketCarEnabled = receipt(receiptData, includesProductID: "com.example.rocketCar")
            #expect(rocketCarEnabled)
            #expect(!receipt(receiptData, includesProductID: "com.example.apple"))
            quit()
        }

        @Test("An unfinished transaction is delivered at the next launch")
        func anUnfinishedTransactionComesAtTheNextLaunch() async {
            launch()
            observer.isIgnoring = true
            SKPaymentQueue.default().add(SKPayment(productIdentifier: "com.example.rocketCar"))
            await mainQueueUpdates()
            #expect(observer.completed.isEmpty)
            quit()

            observer.isIgnoring = false
            launch()
            await mainQueueUpdates()

            #expect(observer.completed == ["com.example.rocketCar"])
            quit()
        }

        @Test("The app finishes failed and restored transactions") func aFailureAndARestoreAreFinishedToo() async {
            launch()
            SKPaymentQueue.default().add(SKPayment(productIdentifier: "com.example.nothing"))
            SKPaymentQueue.default().add(SKPayment(productIdentifier: "com.example.rocketCar"))
            await mainQueueUpdates()
            SKPaymentQueue.default().restoreCompletedTransactions()
            await mainQueueUpdates()

            #expect(observer.failed == ["com.example.nothing"])
            #expect(observer.restored == ["com.example.rocketCar"])
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            quit()
        }

        /// The chapter leaves this method to the app. Here it looks for the
        /// product identifier, which is plain text in a receipt.
        private func receipt(_ receipt: Data, includesProductID identifier: String) -> Bool {
            receipt.range(of: Data(identifier.utf8)) != nil
        }
    }
}
