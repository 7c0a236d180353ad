// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreTestSupport
import Testing

@testable import StoreKit

/// The calls of observers, in queues of the tests' own without a store.
@Suite(.timeLimit(.hang))
@MainActor
struct PaymentQueueCoreTests {
    private let folder: TemporaryFolder
    private let queue = SKPaymentQueue()
    private let payment = SKPayment(productIdentifier: "com.example.apple")

    init() throws {
        unsetenv("STOREKIT_STORE_URL")
        folder = try TemporaryFolder()
    }

    private func host() -> AgentHost {
        var configuration = StoreKitConfiguration()
        configuration.home = folder.url.appendingPathComponent("home")
        configuration.bundleIdentifier = "com.example.fruit"
        let host = AgentHost()
        #expect(host.use(configuration))
        return host
    }

    @Test("An observer that is added when the agent can't start receives later updates")
    func anObserverHearsOfWhatComesAfterTheAgentCouldNotStart() async throws {
        let home = folder.url.appendingPathComponent("home")
        try Data().write(to: home)
        let core = PaymentQueueCore(host: host())
        let ear = Ear()
        core.add(ear, through: queue)
        try FileManager.default.removeItem(at: home)

        core.add(payment, through: queue)

        #expect(await ear.next() == [.purchasing])
        #expect(await ear.next() == [.failed])
        core.remove(ear)
        await core.host.stop()
    }

    @Test("An observer that is added later receives each unfinished transaction once")
    func anObserverThatComesLaterHearsOfWhatIsUnfinishedOnce() async throws {
        let core = PaymentQueueCore(host: host())
        let first = Ear()
        core.add(first, through: queue)
        core.add(payment, through: queue)
        #expect(await first.next() == [.purchasing])
        #expect(await first.next() == [.failed])

        let second = Ear()
        core.add(second, through: queue)
        #expect(await second.next() == [.failed])

        let failed = try #require(core.transactions.first)
        core.finish(failed)
        #expect(await first.next() == [])
        #expect(await second.next() == [])
        let third = Ear()
        core.add(third, through: queue)
        core.add(payment, through: queue)
        #expect(await third.next() == [.purchasing])
        core.remove(first)
        core.remove(second)
        core.remove(third)
        await core.host.stop()
    }

    @Test("An observer that replaces another one receives a revocation that arrived before its first call")
    func revocationBeforeTheFirstCall() async throws {
        let core = PaymentQueueCore(host: host())
        let old = Ear()
        let new = Ear()
        core.add(old, through: queue)
        core.add(payment, through: queue)
        #expect(await old.next() == [.purchasing])
        #expect(await old.next() == [.failed])

        // The revocation waits for the main queue while the app replaces its
        // observer.
        let revoked = RevokedProduct(
            product: "com.example.pear", position: EventPosition(account: "account", number: 1))
        core.onMain { core in core.notify(.revoked([revoked]), from: nil) }
        core.add(new, through: queue)
        core.remove(old)

        #expect(await new.next() == [.failed])
        #expect(new.revoked == ["com.example.pear"])
        #expect(old.revoked.isEmpty)
        core.remove(new)
        await core.host.stop()
    }

    @Test("A process without observers leaves its transactions to another process")
    func aProcessWithoutObserversLeavesWhatItShowsToAnother() async throws {
        let here = PaymentQueueCore(host: host())
        let there = PaymentQueueCore(host: host())
        let first = Ear()
        let second = Ear()
        here.add(first, through: queue)
        there.add(second, through: queue)
        here.add(payment, through: queue)
        #expect(await first.next() == [.purchasing])
        #expect(await first.next() == [.failed])

        here.remove(first)
        #expect(await second.next() == [.failed])

        there.remove(second)
        here.add(first, through: queue)
        #expect(await first.next() == [.failed])
        here.remove(first)
        await here.host.stop()
        await there.host.stop()
    }
}

/// An observer that records one element per call: the states of updated
/// transactions, none for removed ones. It also records revoked products.
@MainActor
private final class Ear: NSObject, @preconcurrency SKPaymentTransactionObserver {
    private let stream: AsyncStream<[SKPaymentTransactionState]>
    private let heard: AsyncStream<[SKPaymentTransactionState]>.Continuation
    private(set) var revoked: [String] = []

    override init() {
        (stream, heard) = AsyncStream.makeStream()
        super.init()
    }

    func next() async -> [SKPaymentTransactionState]? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next(isolation: #isolation)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        heard.yield(transactions.map(\.transactionState))
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        heard.yield([])
    }
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        revoked += productIdentifiers
    }
}
