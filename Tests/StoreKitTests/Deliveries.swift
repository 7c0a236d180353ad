// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import StoreKit

/// The observer of docs/sequential-processing.md, word by word.
final class Deliveries: NSObject, SKPaymentTransactionObserver {
    private var waiting: [SKPaymentTransaction] = []
    private var isDelivering = false

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                // An observer that is added later receives the same transaction again.
                if !waiting.contains(transaction) { waiting.append(transaction) }
            case .failed:
                queue.finishTransaction(transaction)
            default:
                break
            }
        }
        deliverNext(queue)
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        // Finished, or refunded while it waited. The first may be under way.
        let first = isDelivering ? waiting.first : nil
        waiting.removeAll { transactions.contains($0) && $0 != first }
    }

    private func deliverNext(_ queue: SKPaymentQueue) {
        guard !isDelivering, let transaction = waiting.first else { return }
        isDelivering = true
        deliver(transaction.payment.productIdentifier) { isDelivered in
            self.isDelivering = false
            self.waiting.removeFirst()
            // A transaction without its product comes again at the next launch.
            if isDelivered { queue.finishTransaction(transaction) }
            self.deliverNext(queue)
        }
    }

    // Deliveries that a test ends.

    private(set) var begun: [String] = []
    private var completion: ((Bool) -> Void)?

    private func deliver(_ product: String, completion: @escaping (Bool) -> Void) {
        begun.append(product)
        self.completion = completion
    }

    func end(isDelivered: Bool) {
        let completion = completion
        self.completion = nil
        completion?(isDelivered)
    }
}
