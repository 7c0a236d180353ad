// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreCore
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite(.timeLimit(.hang))
struct BuyingTests {
    private let device: Device
    private let store = ScriptedStore(ScriptedStore.Script(position: .at(5)))

    init() throws {
        device = try Device()
    }

    private func sell(_ identifier: String = "2000000000000001", at number: Int64 = 5) {
        store.script.change { script in
            script.pay = { call in
                PaymentCall.Answer(
                    status: .purchased, transaction: .apple(identifier, request: call.requestIdentifier),
                    position: .at(number))
            }
        }
    }

    @Test("A payment is in the journal before add returns") func paymentIsInTheJournalBeforeAddReturns() async throws {
        let process = try device.process(store)

        let transaction = try process.agent.add(.apple)

        let file = AgentFolder(home: device.home, bundleIdentifier: Device.bundle).journal
        let journal = try Journal(
            try PosixSystem().openJournal(file), device: process.agent.identity.credentials.identifier)
        let entry = try await journal.entry(transaction.id)
        #expect(entry?.phase == .added)
        #expect(transaction.state == .purchasing)
    }

    @Test("A purchase is delivered when its receipt is on disk")
    func purchaseIsToldWhenItsReceiptIsOnDisk() async throws {
        sell(at: 9)
        let process = try device.process(store)
        let credentials = process.agent.identity.credentials
        store.script.change { script in
            script.position = .at(9)
            script.receipt = { call in try ScriptedStore.receipt(for: credentials, call, .at(5)) }
        }
        process.observe()

        try await process.running {
            try process.agent.add(.apple)
            await process.told(.purchasing)
            // The store's receipt is of number 5, the purchase of number 9.
            await device.clock.naps.until { $0 >= 1 }
            #expect(process.updates.value.transactions(in: .purchased).isEmpty)

            store.script.change { $0.receipt = nil }
            device.clock.advance(seconds: 30)
            let transaction = await process.told(.purchased)

            #expect(transaction.transactionIdentifier == "2000000000000001")
            let verdict = try ScriptedStore.authority.verifier.verify(
                try Data(contentsOf: device.receipt),
                expecting: .init(bundleIdentifier: Device.bundle, deviceIdentifier: process.agent.deviceIdentifier))
            guard case .verified = verdict else {
                Issue.record("the receipt on disk is refused")
                return
            }
            #expect(process.agent.receiptURL == device.receipt)
        }
        #expect(store.payments.value.count == 1)
    }

    @Test("A first attempt without a network fails, and is shown until the app finishes it")
    func firstAttemptWithoutANetworkFailsAtOnceAndIsShownUntilFinished() async throws {
        store.script.change { $0.outage = .notSent }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.add(.apple)
            let failed = await process.told(.failed)
            #expect(failed.failure?.code == .unknown)
            #expect(failed.failure?.underlying?.domain == "NSURLErrorDomain")
            #expect(failed.failure?.underlying?.code == -1004)
        }
        process.agent.close()

        let next = try device.process(store)
        next.observe()
        let shown = await next.told(.failed)
        try next.agent.finish(shown.id)
        await next.updates.until { !$0.removed.isEmpty }
        next.agent.close()

        let last = try device.process(store)
        #expect(try last.agent.transactions.isEmpty)
    }

    @Test("A later process repeats its attempts under the payment's identifier")
    func attemptOfALaterProcessIsRepeatedUnderTheSameIdentifier() async throws {
        store.script.change { $0.outage = .notSent }
        let first = try device.process(store)
        let transaction = try first.agent.add(.apple)
        first.agent.close()

        let process = try device.process(store)
        process.observe()
        try await process.running {
            await store.payments.until { $0.count == 1 }
            // The payment and the stream both pause.
            await device.clock.naps.until { $0 >= 2 }
            #expect(process.updates.value.transactions(in: .failed).isEmpty)
            sell()
            store.script.change { $0.outage = nil }
            _ = try await device.clock.moving { await process.told(.purchased) }
        }
        #expect(store.payments.value.map(\.requestIdentifier) == [transaction.id, transaction.id])
    }

    @Test("A payment that has left the device doesn't fail because the device can't be registered")
    func unregisteredAndOffline() async throws {
        store.script.change { [script = store.script] in
            $0.pay = { _ in
                script.change { $0.outage = .notSent }
                throw StoreFailure(.unknownDevice, "register it first")
            }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let transaction = try process.agent.add(.apple)
            await store.payments.until { $0.count == 1 }
            // The payment or the stream pauses, whichever finds first that the store can't be reached.
            await device.clock.naps.until { $0 >= 1 }
            #expect(process.updates.value.transactions(in: .failed).isEmpty)
            sell()
            store.script.change { $0.outage = nil }
            _ = try await device.clock.moving { await process.told(.purchased) }
            #expect(store.payments.value.map(\.requestIdentifier) == [transaction.id, transaction.id])
        }
    }

    @Test("Work that a hint has started is started again when the journal couldn't be written")
    func refusedWrite() async throws {
        store.script.change { script in
            script.pay = { _ in PaymentCall.Answer(status: .authorise, sheet: "http://store.example/sheet/1") }
        }
        let presenter = RecordingPresenter()
        let process = try device.process(store, presenter: presenter)
        process.observe()
        try await process.running {
            // The synchronizer has done the work that the start of the stream causes.
            while try await process.agent.journal.state().receipt == nil {
                try await letOthersRun()
            }
            let transaction = try process.agent.add(.apple)
            await presenter.sheets.until { $0.count == 1 }
            let database = process.agent.journal.database
            try await database.write { connection in
                try connection.run(
                    "CREATE TRIGGER full BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'no room'); END")
            }
            store.script.change { script in
                script.pay = { _ in
                    PaymentCall.Answer(status: .failed, failure: PurchaseFailure(.paymentCancelled, "cancelled"))
                }
            }
            await store.tell(.request(requestIdentifier: transaction.id))
            await device.clock.naps.until { $0 == 1 }
            try await database.write { connection in try connection.run("DROP TRIGGER full") }
            device.clock.advance(seconds: 1)
            #expect(await process.told(.failed).id == transaction.id)
        }
    }

    @Test("A lost answer repeats the same request") func lostAnswerRepeatsTheSameRequest() async throws {
        store.script.change { script in
            script.pay = { _ in throw ConnectionFailure(reach: .unanswered, underlying: ScriptedStore.Outage()) }
        }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.add(.apple)
            await store.payments.until { $0.count == 1 }
            await device.clock.naps.until { $0 >= 1 }
            sell()
            device.clock.advance(seconds: 30)
            await process.told(.purchased)
        }
        #expect(store.payments.value.count == 2)
        #expect(Set(store.payments.value.map(\.requestIdentifier)).count == 1)
    }

    @Test("The answer and the event of one purchase are one transaction")
    func answerAndEventOfOnePurchaseAreOneTransaction() async throws {
        sell()
        let process = try device.process(store)
        process.observe()
        try await process.running {
            let added = try process.agent.add(.apple)
            await process.told(.purchased)
            await store.tell(.transaction(.apple(request: added.id), .at(5)))
            store.script.change { $0.position = .at(6) }
            await store.tell(.transaction(.apple("2000000000000002"), .at(6)))
            let other = await process.told(.purchased, times: 2)
            #expect(other.transactionIdentifier == "2000000000000002")
            #expect(try process.agent.transactions.map(\.id) == [added.id, "2000000000000002"])
        }
    }

    @Test("A sheet is shown once, and the agent asks for its outcome after a hint")
    func sheetIsShownOnceAndItsOutcomeIsAskedForAfterAHint() async throws {
        store.script.change { script in
            script.pay = { _ in PaymentCall.Answer(status: .authorise, sheet: "http://store.example/sheet/1") }
        }
        let presenter = RecordingPresenter()
        let process = try device.process(store, presenter: presenter)
        process.observe()
        try await process.running {
            let added = try process.agent.add(.apple)
            await presenter.sheets.until { !$0.isEmpty }
            await store.tell(.request(requestIdentifier: added.id))
            await store.payments.until { $0.count >= 2 }
            sell()
            await store.tell(.request(requestIdentifier: added.id))
            await process.told(.purchased)
        }
        #expect(presenter.sheets.value.map(\.absoluteString) == ["http://store.example/sheet/1"])
    }

    @Test("A sheet that can't be shown fails its payment, and a later purchase is delivered")
    func purchaseOfASheetThatCouldNotBeShownIsDeliveredWhenItComesAfterAll() async throws {
        store.script.change { script in
            script.pay = { _ in PaymentCall.Answer(status: .authorise, sheet: "http://store.example/sheet/1") }
        }
        let presenter = RecordingPresenter(failure: AgentError(.sheet, "There is no screen."))
        let process = try device.process(store, presenter: presenter)
        process.observe()
        try await process.running {
            let added = try process.agent.add(.apple)
            let failed = await process.told(.failed)
            #expect(failed.failure?.message.contains("There is no screen.") == true)

            store.script.change { $0.position = .at(6) }
            await store.tell(.transaction(.apple(request: added.id), .at(6)))
            let purchased = await process.told(.purchased)
            #expect(purchased.id != failed.id)
        }
    }

    @Test("A payment whose sheet the customer may have seen waits for the store")
    func paymentOfASheetThatMayHaveBeenSeenWaitsForTheStore() async throws {
        store.script.change { script in
            script.pay = { _ in PaymentCall.Answer(status: .authorise, sheet: "http://store.example/sheet/1") }
        }
        let presenter = RecordingPresenter(failure: AgentError(.sheetProgram, "It ended with status 1."))
        let process = try device.process(store, presenter: presenter)
        process.observe()
        try await process.running {
            let added = try process.agent.add(.apple)
            await presenter.sheets.until { !$0.isEmpty }
            sell()
            await store.tell(.request(requestIdentifier: added.id))
            #expect(await process.told(.purchased).id == added.id)
        }
        #expect(process.updates.value.transactions(in: .failed).isEmpty)
    }

    @Test("A sheet that an earlier process has shown needn't be shown again for its payment")
    func sheetThatAnEarlierProcessHasShownDoesNotFailThePaymentWhenItCannotBeShownAgain() async throws {
        store.script.change { script in
            script.pay = { _ in PaymentCall.Answer(status: .authorise, sheet: "http://store.example/sheet/1") }
        }
        let presenter = RecordingPresenter()
        let first = try device.process(store, presenter: presenter)
        let added = try first.agent.add(.apple)
        try await first.running { await presenter.sheets.until { !$0.isEmpty } }
        first.agent.close()

        let blind = RecordingPresenter(failure: AgentError(.sheet, "There is no screen."))
        let second = try device.process(store, presenter: blind)
        second.observe()
        try await second.running {
            await blind.sheets.until { !$0.isEmpty }
            // The customer confirms on the page that the first process has opened.
            sell()
            await store.tell(.request(requestIdentifier: added.id))
            #expect(await second.told(.purchased).id == added.id)
        }
        #expect(second.updates.value.transactions(in: .failed).isEmpty)
    }

    @Test("A refusal fails the payment with the store's message")
    func refusalFailsThePaymentWithTheStoresSentence() async throws {
        store.script.change { script in script.pay = { _ in throw StoreFailure(.invalid, "No such product.") } }
        let process = try device.process(store)
        process.observe()
        try await process.running {
            try process.agent.add(.apple)
            let failed = await process.told(.failed)
            #expect(failed.failure == PurchaseFailure(.paymentInvalid, "No such product."))
        }
    }

    @Test("An agent without a trusted root sends no payment, and its error names STOREKIT_TRUST")
    func withoutTrustNothingIsSentAndTheMessageSaysWhatToDo() async throws {
        let process = try device.process(store, trusts: false)
        process.observe()
        try await process.running {
            try process.agent.add(.apple)
            let failed = await process.told(.failed)
            #expect(failed.failure?.message.contains("STOREKIT_TRUST") == true)
            #expect(failed.failure?.message.contains("http://store.example/pki/roots.pem") == true)
        }
        #expect(store.payments.value.isEmpty)
    }
}
