// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite(.timeLimit(.hang))
struct FinishingTests {
    private let device: Device
    private let store: ScriptedStore

    init() throws {
        device = try Device()
        store = ScriptedStore(ScriptedStore.Script(position: .at(5), queue: [.apple()]))
    }

    @Test("A later process sends a finish that was made without a network, as the same request")
    func finishWithoutANetworkIsToldLaterByAnotherProcess() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let transaction = await process.told(.purchased)
            store.script.change { $0.outage = .notSent }
            try process.agent.finish(transaction.id)
            await process.updates.until { $0.removed.map(\.id) == [transaction.id] }
            await store.finishes.until { $0.count >= 1 }
            #expect(try process.agent.finish(transaction.id) == nil)
        }
        process.agent.close()

        let next = try device.process(store)
        #expect(try next.agent.transactions.isEmpty)
        store.script.change { $0.outage = nil }
        try await next.running {
            await store.finishes.until { $0.count >= 2 }
        }
        #expect(Set(store.finishes.value.map(\.transactionIdentifier)) == ["2000000000000001"])
        // A store of an older version requires it.
        #expect(Set(store.finishes.value.map(\.requestIdentifier)) == ["finish-2000000000000001"])
    }

    @Test("A finished transaction isn't shown again, though a snapshot still holds it")
    func finishedTransactionIsNeverShownAgainThoughASnapshotHoldsIt() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let transaction = await process.told(.purchased)
            try process.agent.finish(transaction.id)
            await store.finishes.until { $0.count == 1 }
            // Two snapshots still have the finished transaction; then another one is purchased.
            await store.tell(.snapshot(QueueSnapshot(position: .at(5), transactions: [.apple()])))
            await store.tell(.accountChanged)
            await store.streams.until { $0.count == 2 }
            await store.tell(.snapshot(QueueSnapshot(position: .at(5), transactions: [.apple()])))
            store.script.change { $0.position = .at(6) }
            await store.tell(.transaction(.apple("2000000000000002"), .at(6)))
            let other = await process.told(.purchased, times: 2)
            #expect(other.id == "2000000000000002")
        }
        #expect(process.updates.value.transactions(in: .purchased).count == 2)
    }

    @Test("A confirmed transaction leaves the journal when a later snapshot omits it")
    func confirmedTransactionIsForgottenWhenALaterSnapshotOmitsIt() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let transaction = await process.told(.purchased)
            store.script.change { $0.queue = [] }
            try process.agent.finish(transaction.id)
            await store.finishes.until { $0.count == 1 }
            // A stream that the agent opened again may have removed the entry already.
            while let entry = try await process.agent.journal.entry(transaction.id), entry.phase != .confirmed {
                try await letOthersRun()
            }
            await store.tell(.accountChanged)
            await store.streams.until { $0.count >= 2 }
            while try await process.agent.journal.entry(transaction.id) != nil { try await letOthersRun() }
        }
    }

    @Test("The journal keeps a finish that is made while another account is signed in")
    func finishWhileAnotherAccountIsSignedInIsRemembered() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let transaction = await process.told(.purchased)
            store.script.change { script in
                script.position = EventPosition(account: "other", number: 3)
                script.queue = []
            }
            await store.tell(.accountChanged)
            await process.updates.until { $0.removed.map(\.id) == [transaction.id] }
            #expect(try process.agent.transactions.isEmpty)

            try process.agent.finish(transaction.id)
            await store.finishes.until { $0.count == 1 }

            // The store hasn't received the finish: the account's queue still has the transaction.
            store.script.change { script in
                script.position = .at(6)
                script.queue = [.apple(), .apple("2000000000000002")]
            }
            await store.tell(.accountChanged)
            let other = await process.told(.purchased, times: 2)
            #expect(other.id == "2000000000000002")
            #expect(try process.agent.transactions.map(\.id) == [other.id])
        }
    }

    @Test("A purchase is shown again when its account signs in again")
    func purchaseIsShownAgainWhenItsAccountIsBack() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let transaction = await process.told(.purchased)
            store.script.change { script in
                script.position = nil
                script.queue = []
            }
            await store.tell(.accountChanged)
            await process.updates.until { $0.removed.map(\.id) == [transaction.id] }

            store.script.change { script in
                script.position = .at(5)
                script.queue = [.apple()]
            }
            await store.tell(.accountChanged)
            #expect(await process.told(.purchased, times: 2) == transaction)
        }
    }

    @Test("A delivered transaction can be finished after it has left the journal")
    func deliveredTransactionThatHasLeftTheJournalIsFinishedAllTheSame() async throws {
        store.script.change { $0.queue = [] }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            await store.streams.until { !$0.isEmpty }
            let delivered = AgentTransaction.Delivered(
                transactionIdentifier: "2000000000000001", productIdentifier: "com.example.fruit.apple")
            try process.agent.finish("forgotten", delivered: delivered)
            await store.finishes.until { $0.map(\.transactionIdentifier) == ["2000000000000001"] }

            store.script.change { $0.position = .at(6) }
            await store.tell(.transaction(.apple(), .at(6)))
            await store.tell(.transaction(.apple("2000000000000002"), .at(6)))
            #expect(await process.told(.purchased).id == "2000000000000002")
        }
    }

    @Test("A finish that the journal can't store is repeated, and its transaction isn't shown meanwhile")
    func finishThatTheJournalCannotTakeIsRepeatedAndNotShownMeanwhile() async throws {
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let transaction = await process.told(.purchased)
            try await process.agent.journal.database.write { connection in
                try connection.run(
                    """
                    CREATE TRIGGER full BEFORE UPDATE ON entry WHEN NEW.phase = 'finished'
                    BEGIN SELECT RAISE(ABORT, 'no room'); END
                    """)
            }

            #expect(try process.agent.finish(transaction.id) == nil)
            #expect(try process.agent.transactions.isEmpty)
            // An observer that is added now receives only later transactions.
            process.agent.stopObserving()
            process.observe()
            store.script.change { $0.position = .at(6) }
            await store.tell(.transaction(.apple("2000000000000002"), .at(6)))
            #expect(await process.told(.purchased, times: 2).id == "2000000000000002")
            #expect(store.finishes.value.isEmpty)

            try await process.agent.journal.database.write { connection in try connection.run("DROP TRIGGER full") }
            await store.finishes.until { $0.map(\.transactionIdentifier) == ["2000000000000001"] }
        }
    }

    @Test("A finish by StoreKit 2 that the journal can't store hides the transaction of this device's payment")
    func finishOfAPaymentByStoreKit2() async throws {
        let agent = try device.process(store).agent
        let payment = AgentPayment(productIdentifier: "com.example.fruit.apple")
        _ = try agent.journal.add(payment, request: "request", process: agent.presence.identifier, now: 0)
        try await agent.journal.handle("request", .arrived(.apple(), nil, question: 0), now: 0)
        #expect(try agent.transactions.map(\.id) == ["request"])
        try await agent.journal.database.write { connection in
            try connection.run(
                """
                CREATE TRIGGER full BEFORE UPDATE ON entry WHEN NEW.phase = 'finished'
                BEGIN SELECT RAISE(ABORT, 'no room'); END
                """)
        }

        await agent.finishSigned(
            .init(transactionIdentifier: "2000000000000001", productIdentifier: "com.example.fruit.apple"))

        #expect(try agent.transactions.isEmpty)
        try await agent.journal.database.write { connection in try connection.run("DROP TRIGGER full") }
        agent.close()
        #expect(try await agent.journal.unconfirmedFinishes() == ["request"])
    }

    @Test("A purchasing transaction can't be finished") func purchasingTransactionCannotBeFinished() throws {
        let process = try device.process(store)
        let transaction = try process.agent.add(.apple)

        #expect(throws: AgentError(.notFinishable, "")) { try process.agent.finish(transaction.id) }
        #expect(try process.agent.transactions == [transaction])
    }

    @Test("The fault points of a purchase come in the order of its steps")
    func faultPointsOfAPurchaseComeInTheOrderOfItsSteps() async throws {
        store.script.change { $0.queue = [] }
        store.script.change { script in
            script.pay = { call in
                PaymentCall.Answer(
                    status: .purchased, transaction: .apple(request: call.requestIdentifier), position: .at(5))
            }
        }
        let reached = Watched<[String]>([])
        let process = try device.process(store, faults: { name in reached.change { $0.append(name) } })
        process.observe()
        try await process.running {
            await store.streams.until { !$0.isEmpty }
            await reached.until { $0.contains("receipt:after") }
            reached.change { $0 = [] }
            store.script.change { $0.position = .at(9) }
            store.script.change { script in
                script.pay = { call in
                    PaymentCall.Answer(
                        status: .purchased, transaction: .apple(request: call.requestIdentifier), position: .at(9))
                }
            }
            try process.agent.add(.apple)
            let transaction = await process.told(.purchased)
            await reached.until { $0.contains("deliver:after") }
            try process.agent.finish(transaction.id)
            await reached.until { $0.contains("confirm:after") }
        }
        let steps = ["journal", "sending", "arrived", "receipt", "deliver", "finish", "confirm"]
        #expect(reached.value == steps.flatMap { ["\($0):before", "\($0):after"] })
    }
}
