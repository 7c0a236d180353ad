// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A process ends, or another node acts, between two steps of a payment that
/// is answered later.
struct PendingDeathTests {
    @Test("A process dies at each step of a confirmed payment, which is bought once", arguments: Engine.stores)
    func confirming(engine: Engine) async throws {
        for step in [
            "authorise:before", "authorise:after", "wait:before", "wait:after", "event:before", "event:saved",
            "event:settling", "event:settled", "capture:before", "capture:after", "events:saved",
        ] {
            try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
                let anna = try await dying.customer()
                try await dying.answerPayments { $0.isSentTwice = true }
                let sheet = try await anna.appleSheet(request: "r1")
                _ = try? await dying.service.buy(onSheet: sheet, as: anna.account, shown: nil)
                if let number = try? await dying.payment("pending") {
                    try? await dying.service.answer(number, isConfirmed: true)
                }
                #expect(database.isDead, "\(step) wasn't reached")

                let store = try await revive()
                try await store.settlePayments()
                if let number = try await store.payment("pending") {
                    try await store.service.answer(number, isConfirmed: true)
                }
                store.clock.advance(by: .seconds(2))
                try await store.settlePayments()

                #expect(try await store.ledger() == [990], "\(step)")
                #expect(try await store.count("provider_event") == 1, "\(step)")
                #expect(try await store.count("purchase") == 1, "\(step)")
                try await store.checkMoney()
            }
        }
    }

    @Test("A process dies at each step of an expiry, and the payment is released", arguments: Engine.stores)
    func expiring(engine: Engine) async throws {
        for step in ["expire:before", "expire:after", "release:before", "release:saving", "release:after"] {
            try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
                let anna = try await dying.customer()
                try await dying.answerPayments { $0.lifetime = .seconds(60) }
                _ = try await anna.buyPendingApple()
                dying.clock.advance(by: .seconds(60))
                try? await dying.settlePayments()
                #expect(database.isDead, "\(step) wasn't reached")

                let store = try await revive()
                try await store.settlePayments()

                #expect(try await store.payment("voided") != nil, "\(step)")
                #expect(try await store.count("reservation") == 0, "\(step)")
                #expect(try await store.ledger() == [], "\(step)")
                try await store.checkMoney()
            }
        }
    }

    @Test("A process dies while it releases an amount that was authorised too late", arguments: Engine.stores)
    func releasing(engine: Engine) async throws {
        for step in ["release:before", "release:saving", "release:after"] {
            try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
                let anna = try await dying.customer()
                try await dying.answerPayments()
                _ = try await anna.buyPendingApple()
                let number = try #require(try await dying.payment("pending"))
                try await dying.service.answer(number, isConfirmed: false)
                dying.clock.advance(by: .seconds(1))
                try? await dying.service.answer(number, isConfirmed: true)
                #expect(database.isDead, "\(step) wasn't reached")

                let store = try await revive()
                try await store.settlePayments()

                #expect(try await store.payment("voided") == number, "\(step)")
                #expect(try await store.ledger() == [], "\(step)")
                try await store.checkMoney()
            }
        }
    }

    @Test("An event that arrives before the answer to the call has one effect", arguments: Engine.stores)
    func eventFirst(engine: Engine) async throws {
        for step in ["authorise:before", "authorise:after", "wait:before", "wait:after"] {
            let hook = StepHook()
            try await engine.withNodes(faults: { hook.reach($0) }) { nodes in
                let anna = try await nodes.first.customer()
                try await nodes.first.answerPayments()
                let sheet = try await anna.appleSheet(request: "r1")
                hook.at(step) {
                    try blocking {
                        let event = ProviderEvent(
                            identifier: "1", payment: try await nodes.second.openPayment(), kind: .authorised)
                        try await nodes.second.service.receive(event)
                    }
                }

                _ = try await nodes.first.service.buy(onSheet: sheet, as: anna.account, shown: nil)

                // The provider's books don't know of this authorisation, so they aren't compared.
                #expect(try hook.refusal() == nil)
                #expect(try await nodes.first.outcomes() == ["purchased"], "\(step)")
                #expect(try await nodes.first.ledger() == [990], "\(step)")
                #expect(try await anna.phone.ask("apple", request: "r1").status == .purchased, "\(step)")
            }
        }
    }

    @Test("A payment that an event declines before its authorisation is saved is released", arguments: Engine.stores)
    func declinedFirst(engine: Engine) async throws {
        for step in ["authorise:after", "commit:before"] {
            let hook = StepHook()
            try await engine.withNodes(faults: { hook.reach($0) }) { nodes in
                let anna = try await nodes.first.customer()
                let sheet = try await anna.appleSheet(request: "r1")
                hook.at(step) {
                    try blocking {
                        let event = ProviderEvent(
                            identifier: "1", payment: try await nodes.second.openPayment(), kind: .declined)
                        try await nodes.second.service.receive(event)
                    }
                }

                let refused = await #expect(throws: DomainError.self) {
                    try await nodes.first.service.buy(onSheet: sheet, as: anna.account, shown: nil)
                }

                #expect(try hook.refusal() == nil)
                #expect(refused?.code == .declined, "\(step)")
                #expect(try await nodes.first.payment("voided") != nil, "\(step)")
                #expect(try await nodes.first.ledger() == [], "\(step)")
                try await nodes.first.checkMoney()
                #expect(try await nodes.first.service.sheet(sheet).refusal == nil)
            }
        }
    }

    @Test("Two nodes get an event at the same moment, and buy once", arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let anna = try await nodes.first.customer()
            try await nodes.first.answerPayments()
            for round in 0..<5 {
                let sheet = try phoneSheet(try await anna.phone.ask("juice", request: "r\(round)"), anna)
                _ = try await nodes.first.service.buy(onSheet: sheet, as: anna.account, shown: nil)
                let number = try #require(try await nodes.first.payment("pending"))
                try await AnsweringSandboxPayment(nodes.first.context)(number, isConfirmed: true)

                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<4 { group.addTask { await nodes[number].service.receiveProviderEvents() } }
                }

                nodes.first.clock.advance(by: .seconds(1))
            }
            #expect(try await nodes.first.ledger() == Array(repeating: 490, count: 5))
            #expect(try await nodes.first.outcomes() == Array(repeating: "purchased", count: 5))
            try await nodes.first.checkMoney()
        }
    }

    @Test("A node that finds an event handled by another one neither captures nor reports", arguments: Engine.stores)
    func overtaken(engine: Engine) async throws {
        let hook = StepHook()
        let captures = Log()
        let reports = Log()
        try await engine.withNodes(faults: {
            if $0 == "capture:before" { captures.add(1) }
            hook.reach($0)
        }) { nodes in
            let anna = try await nodes.first.customer()
            try await nodes.first.answerPayments()
            _ = try await anna.buyPendingApple()
            let number = try #require(try await nodes.first.payment("pending"))
            try await AnsweringSandboxPayment(nodes.first.context)(number, isConfirmed: true)
            hook.at("event:settling") { try blocking { await nodes.second.service.receiveProviderEvents() } }

            try await ReceivingProviderEvents(nodes.first.context).fetch { _ in reports.add(1) }

            #expect(try hook.refusal() == nil)
            #expect(captures.entries.isEmpty && reports.entries.isEmpty)
            #expect(try await nodes.first.outcomes() == ["purchased"])
            #expect(try await nodes.first.payment("captured") == number)
            try await nodes.first.checkMoney()
        }
    }

    @Test(
        "A payment that expires while an event authorises it is bought or released, not both", arguments: Engine.stores)
    func expiringAndAuthorised(engine: Engine) async throws {
        for step in ["expire:before", "expire:after", "release:before", "release:saving"] {
            let hook = StepHook()
            try await engine.withNodes(faults: { hook.reach($0) }) { nodes in
                let anna = try await nodes.first.customer()
                try await nodes.first.answerPayments { $0.lifetime = .seconds(60) }
                _ = try await anna.buyPendingApple()
                let number = try #require(try await nodes.first.payment("pending"))
                nodes.first.clock.advance(by: .seconds(60))
                hook.at(step) { try blocking { try await nodes.second.service.answer(number, isConfirmed: true) } }

                try await nodes.first.recover()

                #expect(try hook.refusal() == nil)
                #expect(try await nodes.first.ledger() == (step == "expire:before" ? [990] : []), "\(step)")
                try await nodes.first.checkMoney()
            }
        }
    }

    private func phoneSheet(_ answer: PaymentCall.Answer, _ customer: Customer) throws -> String {
        try customer.phone.token(answer.sheet)
    }
}

extension TestStore {
    /// The only payment that is reserved or pending.
    fileprivate func openPayment() async throws -> PaymentIdentifier {
        if let reserved = try await payment("reserved") { return reserved }
        return try #require(try await payment("pending"))
    }
}

extension Engine {
    /// Runs a test with a store whose process dies at a step, and with a
    /// closure that starts the store again.
    func withMortalStore(
        dyingAt step: String,
        _ body: (TestStore, MortalDatabase, () async throws -> TestStore) async throws -> Void
    ) async throws {
        try await withDatabase(hasTables: true) { database in
            let clock = TestClock()
            let mortal = MortalDatabase(database)
            let dying = try await TestStore(mortal, clock: clock, faults: { if $0 == step { mortal.die() } })
            try await body(dying, mortal) { try await TestStore(database, clock: clock, seed: 8) }
        }
    }
}
