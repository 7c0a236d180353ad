// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// Uses of the queue from many threads in parallel.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct AnyThreadTests {
    private nonisolated static let threads = 8
    private nonisolated static let rounds = 5
    private let configuration: Configuration
    private let session: SKTestSession
    private let app: App

    init() throws {
        configuration = try Configuration()
        session = try configuration.session()
        app = App()
    }

    @Test("Any thread adds payments and observers, and observers are called on the main queue")
    func paymentsAndObserversComeFromAnyThreadAndObserversAreCalledOnMain() async {
        let passers = (0..<Self.threads).map { _ in Passer() }
        await onManyThreads { thread in
            for _ in 0..<Self.rounds {
                SKPaymentQueue.default().add(passers[thread])
                SKPaymentQueue.default().add(SKPayment(productIdentifier: "juice"))
                _ = SKPaymentQueue.default().transactions
                SKPaymentQueue.default().remove(passers[thread])
            }
        }

        let count = Self.threads * Self.rounds
        #expect(session.allTransactions().count == count)
        #expect(app.heard.filter { $0 == "purchased juice" }.count == count)
        #expect(app.heard.filter { $0 == "removed juice" }.count == count)
        #expect(SKPaymentQueue.default().transactions.isEmpty)
        #expect(SKPaymentQueue.default().transactionObservers.count == 1)
        app.quit()
    }

    @Test("Any thread finishes transactions, and each is removed once")
    func transactionsAreFinishedFromAnyThreadAndOnlyOnce() async {
        app.finishes = false
        for _ in 0..<Self.rounds { await app.buy("juice") }
        let bought = SKPaymentQueue.default().transactions
        #expect(bought.count == Self.rounds)

        await onManyThreads { _ in
            for transaction in bought { SKPaymentQueue.default().finishTransaction(transaction) }
        }

        #expect(SKPaymentQueue.default().transactions.isEmpty)
        #expect(app.heard.filter { $0 == "removed juice" }.count == Self.rounds)
        app.quit()
    }

    @Test("Any thread sets and reads delegates") func delegatesAreSetAndReadOnAnyThread() async {
        // One thread reads the delegate while another one replaces and releases it.
        await onManyThreads { thread in
            let request = Self.request
            for _ in 0..<20_000 {
                if thread.isMultiple(of: 2) {
                    let delegate = Decider()
                    SKPaymentQueue.default().delegate = delegate
                    request.delegate = delegate
                } else {
                    _ = SKPaymentQueue.default().delegate
                    _ = request.delegate
                }
            }
        }
        #expect(SKPaymentQueue.default().delegate == nil && Self.request.delegate == nil)
        app.quit()
    }

    // Safe because the test is about parallel access to its delegate.
    private nonisolated(unsafe) static let request = SKRequest()

    /// Runs the work on several threads in parallel. Returns after all
    /// updates that it has put on the main queue.
    private func onManyThreads(_ work: @escaping @Sendable (Int) -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: Self.threads, execute: work)
                DispatchQueue.main.async { continuation.resume() }
            }
        }
    }
}

/// An observer that is added and removed again. A call outside of the main
/// queue ends the process.
private final class Passer: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    // @unchecked because of its superclass; it has no state of its own.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        // The main queue doesn't always run on the main thread: after
        // `dispatchMain()` other threads run it on Linux.
        dispatchPrecondition(condition: .onQueue(.main))
    }
}

private final class Decider: NSObject, SKPaymentQueueDelegate, SKRequestDelegate {}
