// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A payment that its provider answers later.
struct PendingPaymentTests {
    @Test("A pending payment keeps the right to buy, and the device waits", arguments: Engine.stores)
    func waits(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments { $0.hasAction = true }

            let sheet = try await anna.buyPendingApple()

            let number = try #require(try await store.payment("pending"))
            let view = try await store.service.sheet(sheet)
            #expect(view.pending?.address == "/sandbox/payments/\(number)")
            #expect(try await anna.phone.ask("apple", request: "r1").status == .processing)
            #expect(try await store.count("reservation", where: "transaction_id IS NULL") == 1)
            let other = try await anna.appleSheet(request: "r2")
            let refused = await #expect(throws: DomainError.self) {
                try await store.service.buy(onSheet: other, as: anna.account, shown: nil)
            }
            #expect(refused?.code == .underWay)
            let closed = await #expect(throws: DomainError.self) {
                try await ClosingAccount(store.context)(email: anna.account.email)
            }
            #expect(closed?.code == .underWay)
            try await store.settlePayments()
            #expect(try await store.payment("pending") == number)
            #expect(try await store.ledger() == [])
        }
    }

    @Test(
        "The customer's confirmation makes the purchase, and a second one changes nothing", arguments: Engine.stores)
    func confirmed(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments { $0.hasAction = true }
            let sheet = try await anna.buyPendingApple()
            let number = try #require(try await store.payment("pending"))

            try await store.service.answerOnPage(number, isConfirmed: true)

            #expect(try await anna.phone.ask("apple", request: "r1").status == .purchased)
            #expect(try await store.service.sheet(sheet).sheet.status == .confirmed)
            let again = await #expect(throws: DomainError.self) {
                try await store.service.answerOnPage(number, isConfirmed: false)
            }
            #expect(again?.code == .decided)
            #expect(try await store.ledger() == [990])
            try await store.checkMoney()
            try await ClosingAccount(store.context)(email: anna.account.email)
        }
    }

    @Test("A declined pending payment opens its sheet again, with the reason", arguments: Engine.stores)
    func declined(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments { $0.hasAction = true }
            let sheet = try await anna.buyPendingApple()

            try await store.service.answerOnPage(
                try #require(try await store.payment("pending")), isConfirmed: false)

            let view = try await store.service.sheet(sheet)
            #expect(view.refusal == nil)
            #expect(view.sheet.message == "The card was declined.")
            #expect(try await store.count("reservation") == 0)
            try await store.answerPayments { $0.kind = .authorise }
            #expect(try await store.service.buy(onSheet: sheet, as: anna.account, shown: nil).status == .done)
            #expect(try await store.ledger() == [990])
            try await store.checkMoney()
        }
    }

    @Test(
        "A provider answers later, once or twice, in order or not", arguments: Engine.stores,
        [SandboxAnswer.Kind.authorise, .decline])
    func later(engine: Engine, outcome: SandboxAnswer.Kind) async throws {
        for (isSentTwice, isOutOfOrder) in [(false, false), (true, false), (false, true), (true, true)] {
            try await engine.withStore { store in
                let anna = try await store.customer()
                try await store.answerPayments {
                    $0.outcome = outcome
                    $0.delay = .seconds(30)
                    $0.isSentTwice = isSentTwice
                    $0.isOutOfOrder = isOutOfOrder
                }
                _ = try await anna.buyPendingApple()
                store.clock.advance(by: .seconds(29))
                await store.service.receiveProviderEvents()
                #expect(try await store.outcomes() == [])

                for _ in 0..<4 {
                    store.clock.advance(by: .seconds(1))
                    await store.service.receiveProviderEvents()
                }

                let isBought = outcome == .authorise
                #expect(try await anna.phone.ask("apple", request: "r1").status == (isBought ? .purchased : .authorise))
                #expect(try await store.ledger() == (isBought ? [990] : []))
                let result = isBought ? "purchased" : "declined"
                #expect(try await store.outcomes() == (isOutOfOrder ? [result, "ignored"] : [result]))
                #expect(try await store.count("sandbox_event") == 0)
                try await store.checkMoney()
            }
        }
    }

    @Test("A payment that is authorised after it was declined makes no purchase", arguments: Engine.stores)
    func authorisedTooLate(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments()
            _ = try await anna.buyPendingApple()
            let number = try #require(try await store.payment("pending"))

            try await store.service.answer(number, isConfirmed: false)
            store.clock.advance(by: .seconds(1))
            try await store.service.answer(number, isConfirmed: true)

            #expect(try await store.payment("voided") == number)
            #expect(try await store.count("sandbox_payment", where: "status = 'voided'") == 1)
            #expect(Set(try await store.outcomes()) == ["declined", "released"])
            #expect(try await store.ledger() == [])
            store.clock.advance(by: .seconds(1))
            try await store.service.answer(number, isConfirmed: true)
            #expect(try await store.ledger() == [])
            try await store.checkMoney()
        }
    }

    @Test("A payment that is declined after its purchase was made keeps the purchase", arguments: Engine.stores)
    func declinedTooLate(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments()
            _ = try await anna.buyPendingApple()
            let number = try #require(try await store.payment("pending"))

            try await store.service.answer(number, isConfirmed: true)
            store.clock.advance(by: .seconds(1))
            try await store.service.answer(number, isConfirmed: false)

            #expect(Set(try await store.outcomes()) == ["purchased", "contradicted"])
            #expect(try await anna.phone.ask("apple", request: "r1").status == .purchased)
            #expect(try await store.ledger() == [990])
            try await store.checkMoney()
        }
    }

    @Test("An expired payment ends, and a later confirmation makes no purchase", arguments: Engine.stores)
    func expired(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments {
                $0.lifetime = .seconds(3600)
                $0.hasAction = true
            }
            let sheet = try await anna.buyPendingApple()
            let number = try #require(try await store.payment("pending"))

            store.clock.advance(by: .seconds(3599))
            try await store.settlePayments()
            #expect(try await store.payment("pending") == number)
            store.clock.advance(by: .seconds(1))
            let late = await #expect(throws: DomainError.self) {
                try await store.service.answerOnPage(number, isConfirmed: true)
            }
            #expect(late?.code == .decided)
            try await store.settlePayments()

            #expect(try await store.payment("voided") == number)
            let answer = try await anna.phone.ask("apple", request: "r1")
            #expect(answer.status == .failed)
            #expect(answer.failure?.message == "The payment was not confirmed in time. Nothing was charged.")
            #expect(try await store.service.sheet(sheet).refusal?.code == .declined)
            #expect(try await store.count("reservation") == 0)
            try await store.service.answer(number, isConfirmed: true)
            #expect(try await store.outcomes() == ["released"])
            #expect(try await store.ledger() == [])
            try await store.checkMoney()
        }
    }

    @Test("A payment that expires while its sheet is open can be tried again", arguments: Engine.stores)
    func expiredOnTheSheet(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments { $0.lifetime = .seconds(60) }
            let sheet = try await anna.buyPendingApple()

            store.clock.advance(by: .seconds(60))
            try await store.settlePayments()

            #expect(try await store.service.sheet(sheet).refusal == nil)
            try await store.answerPayments { $0.kind = .authorise }
            #expect(try await store.service.buy(onSheet: sheet, as: anna.account, shown: nil).status == .done)
            try await store.checkMoney()
        }
    }

    @Test("A payment whose event was lost is bought when it expires, if it was authorised", arguments: Engine.stores)
    func lostEvent(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments { $0.lifetime = .seconds(60) }
            _ = try await anna.buyPendingApple()
            let number = try #require(try await store.payment("pending"))
            try await AnsweringSandboxPayment(store.context)(number, isConfirmed: true)
            try await store.context.database.write { try $0.run("DELETE FROM sandbox_event") }

            store.clock.advance(by: .seconds(60))
            try await store.recover()

            #expect(try await anna.phone.ask("apple", request: "r1").status == .purchased)
            #expect(try await store.ledger() == [990])
            try await store.checkMoney()
        }
    }

    @Test(
        "The event of an unknown payment waits for the payment, and is reported after an hour", arguments: Engine.stores
    )
    func unknownPayment(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments()
            _ = try await anna.buyPendingApple()
            let number = try #require(try await store.payment("pending"))
            let known = ProviderEvent(identifier: "1", payment: number, kind: .authorised)
            let unknown = ProviderEvent(identifier: "2", payment: "nothing", kind: .authorised)
            // The payment's row isn't there yet.
            try await store.context.database.write {
                try $0.run("CREATE TABLE hidden_payment AS SELECT * FROM payment")
                try $0.run("DELETE FROM payment")
            }
            for event in [known, unknown, known] { try await store.service.receive(event) }
            await store.service.handleProviderEvents()
            #expect(try await store.outcomes() == ["waits", "waits"])

            try await store.context.database.write {
                try $0.run("INSERT INTO payment SELECT * FROM hidden_payment")
            }
            await store.service.handleProviderEvents()
            #expect(try await store.outcomes() == ["purchased", "waits"])
            #expect(try await store.ledger() == [990])
            store.clock.advance(by: .seconds(3600))
            await store.service.handleProviderEvents()
            #expect(try await store.outcomes() == ["purchased", "unknown payment"])
        }
    }

    @Test("An event of an unknown kind changes nothing", arguments: Engine.stores)
    func unknownKind(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments()
            _ = try await anna.buyPendingApple()
            let number = try #require(try await store.payment("pending"))

            try await store.service.receive(
                ProviderEvent(identifier: "1", payment: number, kind: .init(rawValue: "disputed")))

            #expect(try await store.outcomes() == ["ignored"])
            #expect(try await store.payment("pending") == number)
        }
    }

    @Test("While nothing can be delivered an event waits", arguments: Engine.stores)
    func undeliverable(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments()
            _ = try await anna.buyPendingApple()
            let number = try #require(try await store.payment("pending"))
            let receiving = ReceivingProviderEvents(
                store.context, requireDeliverable: { throw DomainError(.clock, "The clock is wrong.") })

            try await receiving(ProviderEvent(identifier: "1", payment: number, kind: .authorised)) { _ in }
            #expect(try await store.outcomes() == ["waits"])
            await store.service.handleProviderEvents()

            #expect(try await store.outcomes() == ["purchased"])
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("An approved request whose payment is pending stays deferred on the device", arguments: Engine.stores)
    func approved(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.service.change(account: anna.account.email, .init(switches: [.asksToBuy: true]))
            try await store.answerPayments()
            _ = try await anna.phone.ask("apple", request: "r1")
            let transaction = try await store.onlyUndecided()

            #expect(try await store.service.approve(transaction).status == .processing)
            #expect(try await anna.phone.ask("apple", request: "r1").status == .deferred)
            try await store.service.answer(try #require(try await store.payment("pending")), isConfirmed: false)
            #expect(try await store.onlyUndecided() == transaction)
            try await store.answerPayments { $0.kind = .authorise }
            #expect(try await store.service.approve(transaction).status == .done)
            #expect(try await store.ledger() == [990])
            try await store.checkMoney()
        }
    }

    @Test("Only a pending payment has an action and a later answer", arguments: Engine.stores)
    func settings(engine: Engine) async throws {
        try await engine.withStore { store in
            let changes: [@Sendable (inout SandboxAnswer) -> Void] = [
                { $0.kind = .init(rawValue: "perhaps") }, { $0.outcome = .pending }, { $0.lifetime = .zero },
                { $0.delay = .seconds(-1) },
                {
                    $0.kind = .authorise
                    $0.hasAction = true
                },
            ]
            for change in changes {
                let refused = await #expect(throws: DomainError.self) { try await store.answerPayments(change) }
                #expect(refused?.code == .invalid)
            }
        }
    }
}
