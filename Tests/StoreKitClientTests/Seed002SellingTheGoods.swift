// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

// The listings of "All About In-App Purchases, Part 2: Selling the Goods", word
// by word: transactions go through a queue of the app's own, one at a time, as
// an app does that downloads something for each.

private final class FlowerShop: NSObject, SKPaymentTransactionObserver {
    private var m_transactionQueue: [SKPaymentTransaction] = []
    private var m_processingTransaction = false
    private var m_transaction: SKPaymentTransaction?
    var m_delivered: [String] = []

    func buy(_ m_id: String) {
        if SKPaymentQueue.canMakePayments() {
            let payment = SKPayment(productIdentifier: m_id)
            let queue = SKPaymentQueue.default()
            queue.add(payment)
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            m_transactionQueue.append(transaction)
        }

        processNextTransaction()
    }

    func processNextTransaction() {
        if m_processingTransaction { return }

        while m_transactionQueue.count > 0 && !m_processingTransaction {
            let transaction = m_transactionQueue[0]
            m_transactionQueue.remove(at: 0)

            switch transaction.transactionState {
            case .purchased:
                m_processingTransaction = true
                completeTransaction(transaction)
            case .failed:
                m_processingTransaction = true
                failedTransaction(transaction)
            case .restored:
                m_processingTransaction = true
                restoreTransaction(transaction)
            default: break
            }
        }
    }

    /// The download has ended: the transaction is finished, the next begins.
    func downloadEnded() {
        guard let transaction = m_transaction else { return }
        m_delivered.append((transaction.original ?? transaction).payment.productIdentifier)
        end(transaction)
    }

    private func completeTransaction(_ transaction: SKPaymentTransaction) { m_transaction = transaction }
    private func restoreTransaction(_ transaction: SKPaymentTransaction) { m_transaction = transaction }
    private func failedTransaction(_ transaction: SKPaymentTransaction) { end(transaction) }

    private func end(_ transaction: SKPaymentTransaction) {
        SKPaymentQueue.default().finishTransaction(transaction)
        m_transaction = nil
        m_processingTransaction = false
        processNextTransaction()
    }
}

extension WithSession {
    @MainActor
    struct Seed002SellingTheGoods {
        private let session: SKTestSession

        init() throws {
            session = try makeSession()
        }

        @Test("Several purchases are delivered one at a time, also across a relaunch")
        func severalPurchasesAreDeliveredOneAfterTheOtherAcrossRelaunches() async {
            let first = FlowerShop()
            SKPaymentQueue.default().add(first)
            first.buy("com.example.rocketCar")
            first.buy("com.example.apple")
            first.buy("com.example.seeds")
            first.buy("com.example.nothing")
            await mainQueueUpdates()
            first.downloadEnded()
            #expect(first.m_delivered == ["com.example.rocketCar"])
            #expect(SKPaymentQueue.default().transactions.count == 3)
            // The app ends in the middle of the second download.
            SKPaymentQueue.default().remove(first)

            let second = FlowerShop()
            SKPaymentQueue.default().add(second)
            await mainQueueUpdates()
            second.downloadEnded()
            second.downloadEnded()

            #expect(second.m_delivered == ["com.example.apple", "com.example.seeds"])
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            SKPaymentQueue.default().remove(second)
        }
    }
}
