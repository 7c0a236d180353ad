// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// The app's own queue of transactions, handled one at a time.
///
/// A delivery may be several requests and files: two of them side by side
/// would mix. A transaction is finished only when everything of it is done. If
/// the app ends before, the payment queue has it again at the next launch.
@MainActor
final class PurchaseQueue: NSObject {
    private let deliver: @MainActor (SKPaymentTransaction) async throws -> Void
    private let finished: @MainActor (SKPaymentTransaction) -> Void
    private let stateChanged: @MainActor () -> Void
    private let revoked: @MainActor () async -> Void
    private var hasRevoked = false
    private var waiting: [SKPaymentTransaction] = []
    private var isProcessing = false
    private let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Why the queue stands still, until ``processAll()`` is called again.
    private(set) var failure: (any Error)?

    /// Registers the queue as an observer: create it as soon as the app is
    /// launched. `changed` is called when the page has something new to show,
    /// and `revoked` after the store has refunded purchases.
    init(
        deliver: @escaping @MainActor (SKPaymentTransaction) async throws -> Void,
        finished: @escaping @MainActor (SKPaymentTransaction) -> Void = { _ in },
        changed: @escaping @MainActor () -> Void = {}, revoked: @escaping @MainActor () async -> Void = {}
    ) {
        self.deliver = deliver
        self.finished = finished
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
        while failure == nil, let transaction = waiting.first {
            await process(transaction)
            stateChanged()
        }
    }

    /// Ends as an app does that is killed: unfinished transactions stay in the payment queue.
    func quit() {
        SKPaymentQueue.default().remove(self)
        waiting = []
        changed.finish()
    }

    private func process(_ transaction: SKPaymentTransaction) async {
        do {
            if transaction.transactionState != .failed { try await deliver(transaction) }
            // The app may have ended meanwhile.
            guard waiting.first == transaction else { return }
            waiting.removeFirst()
            SKPaymentQueue.default().finishTransaction(transaction)
            finished(transaction)
        } catch {
            failure = error
        }
    }
}

extension PurchaseQueue: @preconcurrency SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where ![.purchasing, .deferred].contains(transaction.transactionState) {
            // An update of a transaction that waits replaces it.
            if let place = waiting.firstIndex(of: transaction) {
                waiting[place] = transaction
            } else {
                waiting.append(transaction)
            }
        }
        stateChanged()
        changed.yield()
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        // A refund removes a transaction that nothing has delivered yet. The
        // first one may be in work: its delivery goes on to its end.
        let first = isProcessing ? waiting.prefix(1) : []
        waiting = first + waiting.dropFirst(first.count).filter { !transactions.contains($0) }
        stateChanged()
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        hasRevoked = true
        changed.yield()
    }
}
