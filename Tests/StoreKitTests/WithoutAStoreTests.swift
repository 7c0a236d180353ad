// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreKit

/// StoreKit in an app without a store's address: errors that name the reason,
/// on the main queue, and no crash.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct WithoutAStoreTests {
    init() {
        #expect(SharedStoreKit.isConfigured)
    }

    @Test("The device allows payments without a store") func theDeviceAllowsPaymentsAllTheSame() {
        #expect(SKPaymentQueue.canMakePayments())
        #expect(SKPaymentQueue.default().storefront == nil)
        #expect(deviceIdentifier?.count == 16)
    }

    @Test("A products request fails with an error that names STOREKIT_STORE_URL")
    func aProductsRequestFailsWithAnErrorThatNamesTheRemedy() async throws {
        let error = await withCheckedContinuation { continuation in
            let listener = RequestListener(continuation)
            let request = SKProductsRequest(productIdentifiers: ["com.example.apple"])
            request.delegate = listener
            listener.keep = request
            request.start()
        }

        #expect(error.code == .unknown)
        let message = error.userInfo[NSDebugDescriptionErrorKey] as? String
        #expect(message?.contains("STOREKIT_STORE_URL") == true)
        #expect(error.localizedDescription == CustomerSentence.network.text(in: nil))
        let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? URLError)
        #expect((underlying as NSError).domain == NSURLErrorDomain)
    }

    @Test("A payment fails, and leaves the queue when it is finished")
    func aPaymentFailsAndLeavesTheQueueWhenFinished() async throws {
        let queue = SKPaymentQueue.default()
        let (changes, continuation) = AsyncStream.makeStream(of: QueueListener.Change.self)
        let listener = QueueListener(continuation)
        queue.add(listener)
        queue.add(listener)
        #expect(queue.transactionObservers.count == 1)

        queue.add(SKPayment(productIdentifier: "com.example.apple"))

        var seen: [SKPaymentTransactionState] = []
        for await change in changes {
            switch change {
            case .updated(let transactions):
                for transaction in transactions {
                    seen.append(transaction.transactionState)
                    #expect(transaction.payment.productIdentifier == "com.example.apple")
                    guard transaction.transactionState == .failed else { continue }
                    #expect((transaction.error as? SKError)?.code == .unknown)
                    #expect(queue.transactions.contains(transaction))
                    queue.finishTransaction(transaction)
                }
            case .removed(let transactions):
                #expect(transactions.map(\.transactionState) == [.failed])
                continuation.finish()
            }
        }
        #expect(seen == [.purchasing, .failed])
        #expect(queue.transactions.isEmpty)
        queue.remove(listener)
        #expect(queue.transactionObservers.isEmpty)
    }

    @Test("A payment with request data fails, and can be finished")
    func aPaymentThatNoStoreCouldHonourFailsAndCanBeFinished() async throws {
        let queue = SKPaymentQueue.default()
        let payment = SKMutablePayment(productIdentifier: "com.example.apple")
        payment.requestData = Data([1])
        let (changes, continuation) = AsyncStream.makeStream(of: QueueListener.Change.self)
        let listener = QueueListener(continuation)
        queue.add(listener)

        queue.add(payment)

        for await change in changes {
            switch change {
            case .updated(let transactions):
                #expect((transactions.first?.error as? SKError)?.code == .unauthorizedRequestData)
                for transaction in transactions { queue.finishTransaction(transaction) }
            case .removed:
                continuation.finish()
            }
        }
        #expect(queue.transactions.isEmpty)
        queue.remove(listener)
    }

    @Test("The queue references its observers weakly") func anObserverIsHeldWeakly() {
        let (_, continuation) = AsyncStream.makeStream(of: QueueListener.Change.self)
        var listener: QueueListener? = QueueListener(continuation)
        listener.map { SKPaymentQueue.default().add($0) }
        #expect(SKPaymentQueue.default().transactionObservers.count == 1)

        listener = nil

        #expect(SKPaymentQueue.default().transactionObservers.isEmpty)
    }
}

/// The one StoreKit of this process, without a store, in a folder of its own.
enum SharedStoreKit {
    private static let folder = try? TemporaryFolder()

    static let isConfigured: Bool = {
        unsetenv("STOREKIT_STORE_URL")
        guard let folder else { return false }
        var configuration = StoreKitConfiguration()
        configuration.home = folder.url
        configuration.bundleIdentifier = "com.example.fruit"
        return StoreKitConfiguration.use(configuration)
    }()
}

/// Waits for the end of one request. A call outside of the main actor ends
/// the process.
@MainActor
private final class RequestListener: NSObject, @preconcurrency SKProductsRequestDelegate {
    private let continuation: CheckedContinuation<SKError, Never>
    /// The request of this listener, which keeps itself because requests hold
    /// their delegates weakly.
    var keep: SKProductsRequest?
    private var own: RequestListener?

    init(_ continuation: CheckedContinuation<SKError, Never>) {
        self.continuation = continuation
        super.init()
        own = self
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        Issue.record("There is no store, and it answered.")
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        own = nil
        #expect(request === keep)
        continuation.resume(returning: error as? SKError ?? SKError(.clientInvalid))
    }
}

@MainActor
private final class QueueListener: NSObject, @preconcurrency SKPaymentTransactionObserver {
    enum Change: Sendable {
        case updated([SKPaymentTransaction])
        case removed([SKPaymentTransaction])
    }

    private let continuation: AsyncStream<Change>.Continuation

    init(_ continuation: AsyncStream<Change>.Continuation) {
        self.continuation = continuation
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        continuation.yield(.updated(transactions))
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        continuation.yield(.removed(transactions))
    }
}
