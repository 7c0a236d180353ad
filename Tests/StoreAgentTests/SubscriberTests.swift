// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

/// Several subscribers in one process: the payment queue, and another one.
@Suite(.timeLimit(.hang))
struct SubscriberTests {
    private let device: Device
    private let store: ScriptedStore

    init() throws {
        device = try Device()
        store = ScriptedStore(ScriptedStore.Script(position: .at(5), queue: [.apple()]))
    }

    /// Makes the store's queue receive another purchase.
    private func sendSecondPurchase() async {
        store.script.change { $0.position = .at(6) }
        await store.tell(.transaction(.apple("2000000000000002"), .at(6)))
    }

    @Test("Both subscribers receive a purchase, and its removal after one of them has finished it")
    func bothSubscribersReceiveAPurchaseAndItsRemoval() async throws {
        let process = try device.process(store)
        process.observe()
        let other = process.observe(as: .other)
        try await process.running {
            let bought = await process.told(.purchased)
            await other.until { $0.transactions(in: .purchased) == [bought] }

            try process.agent.finish(bought.id)
            await process.updates.until { $0.removed == [bought] }
            await other.until { $0.removed == [bought] }
            await store.finishes.until { $0.count == 1 }
        }
        #expect(process.updates.value.count == 2)
        #expect(other.value == process.updates.value)
        #expect(store.finishes.value.count == 1)
    }

    @Test("Both subscribers receive a payment of this process as purchasing, and then as purchased")
    func bothSubscribersReceiveEachStateOfAPayment() async throws {
        store.script.change { script in
            script.queue = []
            script.pay = { call in
                PaymentCall.Answer(
                    status: .purchased, transaction: .apple(request: call.requestIdentifier), position: .at(5))
            }
        }
        let process = try device.process(store)
        process.observe()
        let other = process.observe(as: .other)
        try await process.running {
            try process.agent.add(.apple)
            await process.told(.purchased)
            await other.until { !$0.transactions(in: .purchased).isEmpty }
        }
        for updates in [process.updates.value, other.value] {
            #expect(updates.transactions(in: .purchasing).count == 1)
            #expect(updates.transactions(in: .purchased).count == 1)
        }
    }

    @Test("A subscriber that comes late receives the unfinished transactions, and the other one nothing again")
    func lateSubscriberReceivesTheUnfinishedTransactions() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let bought = await process.told(.purchased)
            let late = process.observe(as: .other)
            await late.until { $0.transactions(in: .purchased) == [bought] }

            await sendSecondPurchase()
            await process.told(.purchased, times: 2)
            await late.until { $0.transactions(in: .purchased).count == 2 }
            #expect(late.value.transactions(in: .purchased) == process.updates.value.transactions(in: .purchased))
        }
    }

    @Test("A subscriber that comes late doesn't receive a transaction that was finished before")
    func lateSubscriberReceivesNoFinishedTransaction() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let bought = await process.told(.purchased)
            try process.agent.finish(bought.id)
            await process.updates.until { $0.removed == [bought] }
            let late = process.observe(as: .other)

            await sendSecondPurchase()
            let second = await process.told(.purchased, times: 2)
            await late.until { !$0.isEmpty }
            #expect(late.value == [.updated([second])])
        }
    }

    @Test("A subscriber that leaves doesn't stop the other, and receives everything unfinished when it is back")
    func subscriberThatLeavesDoesNotStopTheOther() async throws {
        let process = try device.process(store)
        process.observe()
        let other = process.observe(as: .other)
        try await process.running {
            await process.told(.purchased)
            await other.until { $0.transactions(in: .purchased).count == 1 }
            process.agent.stopObserving()

            await sendSecondPurchase()
            await other.until { $0.transactions(in: .purchased).count == 2 }
            #expect(process.updates.value.transactions(in: .purchased).count == 1)

            process.observe()
            await process.told(.purchased, times: 3)
        }
        #expect(process.updates.value.removed.isEmpty)
        #expect(other.value.transactions(in: .purchased).count == 2)
        #expect(other.value.removed.isEmpty)
    }

    @Test("A second handler of a subscriber receives later changes only")
    func secondHandlerReceivesLaterChangesOnly() async throws {
        let process = try device.process(store)
        let other = process.observe(as: .other)
        process.observe()
        try await process.running {
            await process.told(.purchased)
            await other.until { $0.transactions(in: .purchased).count == 1 }
            let second = process.observe(as: .paymentQueue)

            await sendSecondPurchase()
            await second.until { !$0.isEmpty }
            #expect(second.value.transactions(in: .purchased).map(\.id) == ["2000000000000002"])
            await other.until { $0.transactions(in: .purchased).count == 2 }
            #expect(process.updates.value.transactions(in: .purchased).count == 1)
        }
    }

    @Test("Transactions are released to other processes when the last subscriber leaves, not before")
    func transactionsAreReleasedWhenTheLastSubscriberLeaves() async throws {
        store.script.change { script in
            script.queue = []
            script.pay = { call in
                PaymentCall.Answer(
                    status: .purchased,
                    transaction: .apple(call.requestIdentifier, request: call.requestIdentifier), position: .at(5))
            }
        }
        let first = try device.process(store)
        let second = try device.process(store)
        first.observe()
        let other = first.observe(as: .other)
        second.observe()
        try await first.running {
            let one = try first.agent.add(.apple)
            await first.told(.purchased)
            await other.until { $0.transactions(in: .purchased).count == 1 }

            first.agent.stopObserving()
            // The second purchase is delivered after the payment queue has left.
            let two = try first.agent.add(.apple)
            await other.until { $0.transactions(in: .purchased).count == 2 }
            #expect(second.updates.value.isEmpty)
            #expect(try first.agent.journal.whole().processes.observers.contains(first.agent.presence.identifier))
            let holders = try await [
                first.agent.journal.entry(one.id)?.holder, first.agent.journal.entry(two.id)?.holder,
            ]
            #expect(holders == [first.agent.presence.identifier, first.agent.presence.identifier])

            first.agent.stopObserving(as: .other)
            await second.told(.purchased, times: 2)
            #expect(Set(second.updates.value.transactions(in: .purchased).map(\.id)) == [one.id, two.id])
        }
    }

    @Test("The end of a restore, revoked products and a new storefront reach every subscriber")
    func otherNewsReachesEverySubscriber() async throws {
        let france = StorefrontInfo(countryCode: "FRA", identifier: "143442")
        let japan = StorefrontInfo(countryCode: "JPN", identifier: "143462")
        let process = try device.process(store)
        process.observe()
        let other = process.observe(as: .other)
        try await process.running {
            await store.streams.until { !$0.isEmpty }
            await store.tell(.storefront(france, .at(5)))
            // A transaction that comes after the first storefront is delivered
            // after that is known.
            await sendSecondPurchase()
            await process.told(.purchased, times: 2)
            await store.tell(.storefront(japan, .at(6)))
            let change = AgentUpdate.storefrontChanged(japan, before: france)
            await process.updates.until { $0.contains(change) }
            await other.until { $0.contains(change) }

            try process.agent.restoreCompletedTransactions()
            await process.updates.until { $0.contains(.restoreFinished) }
            await other.until { $0.contains(.restoreFinished) }

            store.script.change { $0.position = .at(7) }
            let revoked = RevokedInfo(
                originalTransactionIdentifier: "2000000000000009", productIdentifier: "com.example.fruit.pear",
                isEntitlement: true)
            await store.tell(.revoked(revoked, .at(7)))
            let update = AgentUpdate.revoked([RevokedProduct(product: "com.example.fruit.pear", position: .at(7))])
            await process.updates.until { $0.contains(update) }
            await other.until { $0.contains(update) }
        }
        #expect(other.value.filter { $0 == .restoreFinished }.count == 1)
    }

    @Test("The payment queue's first observer receives the removal of a transaction that was finished before")
    func firstObserverReceivesAnEarlierRemoval() async throws {
        let process = try device.process(store)
        try await process.running {
            while try process.agent.transactions.isEmpty { try await letOthersRun() }
            let found = try process.agent.transactions
            try process.agent.finish(found[0].id)
            process.observe()
            await process.updates.until { $0.removed == found }
        }
        #expect(process.updates.value.transactions(in: .purchased).isEmpty)
    }
}

extension Agent.Subscriber {
    fileprivate static let other = Agent.Subscriber("other")
}

extension AppProcess {
    /// Subscribes, and returns the updates that the subscriber receives.
    fileprivate func observe(as subscriber: Agent.Subscriber) -> Watched<[AgentUpdate]> {
        let updates = Watched<[AgentUpdate]>([])
        agent.observe(as: subscriber) { received in updates.change { $0 += received } }
        return updates
    }
}
