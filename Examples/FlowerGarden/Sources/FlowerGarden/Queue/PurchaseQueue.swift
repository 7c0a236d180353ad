// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// Handles the payment queue's transactions one at a time.
///
/// A delivery may be several requests and files: two of them side by side
/// would mix. A transaction is finished only when everything of it is done. If
/// the app ends before, the payment queue has it again at the next launch.
@MainActor
final class PurchaseQueue: NSObject {
    private let deliver: @MainActor (SKPaymentTransaction) async throws -> Void
    private let stateChanged: @MainActor () -> Void
    private let revoked: @MainActor () async -> Void
    private var hasRevoked = false
    /// Transactions that were finished: the payment queue may have them until it has removed them.
    private var finished: Set<SKPaymentTransaction> = []
    private var isProcessing = false
    private let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Why the queue stands still, until ``processAll()`` is called again.
    private(set) var failure: (any Error)?

    /// Registers the queue as an observer: create it as soon as the app is
    /// launched. `deliver` gets purchases and failures, `changed` is called
    /// when the page has something new to show, and `revoked` after the store
    /// has refunded purchases.
    init(
        deliver: @escaping @MainActor (SKPaymentTransaction) async throws -> Void,
        changed: @escaping @MainActor () -> Void = {}, revoked: @escaping @MainActor () async -> Void = {}
    ) {
        self.deliver = deliver
        self.revoked = revoked
        stateChanged = changed
        super.init()
        SKPaymentQueue.default().add(self)
    }

    /// Handles transactions as they come, until its task is cancelled.
    func run() async {
        for await _ in changes {
            if hasRevoked {
                hasRevoked = false
                await revoked()
            }
            if failure == nil { await processAll() }
        }
    }

    /// Handles the transactions that wait. After a failure, a button or the
    /// network that is back calls it.
    func processAll() async {
        guard !isProcessing else { return }
        isProcessing = true
        defer { isProcessing = false }
        failure = nil
        while failure == nil, let transaction = next {
            do {
                try await deliver(transaction)
                finished.insert(transaction)
                SKPaymentQueue.default().finishTransaction(transaction)
            } catch {
                failure = error
            }
            stateChanged()
        }
    }

    /// The first transaction that the store has decided on.
    private var next: SKPaymentTransaction? {
        SKPaymentQueue.default().transactions.first {
            ![.purchasing, .deferred].contains($0.transactionState) && !finished.contains($0)
        }
    }
}

extension PurchaseQueue: @preconcurrency SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        stateChanged()
        changed.yield()
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        finished.subtract(transactions)
        stateChanged()
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        hasRevoked = true
        changed.yield()
    }
}
