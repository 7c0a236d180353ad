// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A renewal falls due while a refund, a change of the plan or a move of the
/// clock is made.
@Suite(.timeLimit(.hang))
struct CollisionTests {
    /// Lets the bank confirm the payment that is pending.
    private func confirm(_ store: TestStore) async throws -> PaymentIdentifier {
        let payment = try #require(try await store.payment("pending"))
        try await store.service.answer(payment, isConfirmed: true)
        try await store.settlePayments()
        return payment
    }

    @Test(
        "A refund of the running period while its renewal waits for the bank releases the renewal",
        arguments: Engine.stores)
    func refunded(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            let first = try await anna.buy("small")
            var story = try await Story(of: anna)
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86_400) }
            #expect(try await story.go(to: "2026-02-10 00:00:00") == Changes(now: ["small renews: active"]))

            _ = try await store.service.refund(TransactionIdentifier(first.transactionIdentifier))
            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-02-10 00:00:00 refunded"], ledger: ["2026-02-10 00:00:00 refund -4990 USD"],
                        phone: ["gone: small 2026-01-10 20:00:00"],
                        receipt: [
                            "gone: small 2026-01-10 20:00:00 to 2026-02-10 20:00:00",
                            "small 2026-01-10 20:00:00 to 2026-02-10 20:00:00 cancelled 2026-02-10 00:00:00",
                        ], now: ["small ends: revoked"]))
            let payment = try await confirm(store)

            #expect(try await story.go(to: "2026-02-10 19:00:00") == Changes(now: ["small ends: revoked"]))
            #expect(try await store.payment("voided") == payment)
            // The payment doesn't block another purchase of the group.
            try await store.answerPayments { $0 = SandboxAnswer() }
            try await anna.buy("small")
            #expect(
                try await story.changes()
                    == Changes(events: ["2026-02-10 19:00:00 subscribed small"], now: ["small renews: active"])
                    .paid("small", 4990, "2026-02-10 19:00:00", to: "2026-03-10 18:00:00"))
            try await store.checkMoney()
        }
    }

    @Test(
        "A plan that is chosen while the renewal waits for the bank is charged at its own price",
        arguments: Engine.stores)
    func planChosen(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("large")
            var story = try await Story(of: anna)
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86_400) }
            try await anna.advance(to: "2026-05-10 00:00:00")

            try await anna.buy("small")
            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-05-10 00:00:00 plan chosen small"], now: ["large renews as small: active"]))
            let payment = try await confirm(store)
            #expect(
                try await story.changes()
                    == Changes(events: ["2026-05-10 00:00:00 authorised"], now: ["large renews as small: active"]))
            try await store.answerPayments { $0 = SandboxAnswer() }
            #expect(
                try await story.go(to: "2026-05-11 00:00:00")
                    == Changes(events: ["2026-05-10 19:00:00 renewed small"], now: ["small renews: active"])
                    .paid("small", 4990, "2026-05-10 19:00:00", to: "2026-06-10 19:00:00"))
            try await store.recover()
            #expect(try await store.payment("voided") == payment)
            try await store.checkMoney()
        }
    }

    @Test(
        "A purchase that was confirmed before a renewal, and is paid after it, replaces the renewed period",
        arguments: Engine.stores, ["small", "large"])
    func boughtBeforeRenewal(engine: Engine, product: String) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-01-10 20:00:00")
            try await anna.buy("large")
            try await anna.advance(to: "2026-02-10 00:00:00")
            // The renewal is due, and not made yet.
            _ = try await MovingClock(store.context)(
                email: anna.account.email, .to(Subscriber.moment("2026-02-14 00:00:00")))
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86_400) }
            let answer = try await anna.phone.ask(product, request: "another")
            _ = try await store.service.buy(onSheet: anna.phone.token(answer.sheet), as: anna.account, shown: nil)

            try await anna.advance(to: "2026-02-15 00:00:00")
            _ = try await confirm(store)
            try await store.recover()
            #expect(
                try await anna.periods() == [
                    "large 2026-01-10 20:00:00 to 2026-02-10 20:00:00",
                    "large 2026-02-10 20:00:00 to 2026-03-10 19:00:00 upgraded",
                    "\(product) 2026-02-15 00:00:00 to 2026-03-14 23:00:00",
                ])
            #expect(try await store.payment("authorised") == nil)
            try await store.checkMoney()
        }
    }

    @Test("A clock isn't set back past a charge that is under way", arguments: Engine.stores)
    func setBack(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(at: "2026-04-10 19:00:00")
            try await anna.buy("small")
            var story = try await Story(of: anna)
            try await store.answerPayments { $0.lifetime = .seconds(40 * 86_400) }
            #expect(try await story.go(to: "2026-05-10 00:00:00") == Changes(now: ["small renews: active"]))

            let refusal = await #expect(throws: DomainError.self) { try await anna.advance(to: "2026-05-09 18:59:59") }
            #expect(refusal?.code == .invalid && refusal?.message.contains("2026-05-09T19:00:00Z") == true)
            #expect(try await anna.advance(to: "2026-05-09 19:00:00") == [])
            _ = try await confirm(store)
            try await store.answerPayments { $0 = SandboxAnswer() }

            #expect(
                try await story.go(to: "2026-05-11 00:00:00")
                    == Changes(
                        events: ["2026-05-09 19:00:00 authorised", "2026-05-10 19:00:00 renewed small"],
                        now: ["small renews: active"]
                    )
                    .paid("small", 4990, "2026-05-10 19:00:00", to: "2026-06-10 19:00:00"))
        }
    }

    @Test("A clock that is set back before a renewal is due makes it due later, once", arguments: Engine.stores)
    func dueAgain(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            try await anna.buy("weekly")
            let start = try await anna.now
            // Time passes, and no step is carried out before the clock is set back.
            store.clock.advance(by: .seconds(8 * 86_400))
            _ = try await MovingClock(store.context)(email: anna.account.email, .to(Subscriber.moment(start)))
            await store.service.renewSubscriptions()
            var story = try await Story(of: anna)
            #expect(try await anna.periods().count == 1)

            #expect(
                try await story.go(to: "2026-01-10 03:04:05")
                    == Changes(
                        events: ["2026-01-08 03:04:05 authorised", "2026-01-09 03:04:05 renewed weekly"],
                        now: ["weekly renews: active"]
                    )
                    .paid("weekly", 1490, "2026-01-09 03:04:05", to: "2026-01-16 03:04:05"))
        }
    }

    @Test("A refund that comes before a late renewal ends the subscription", arguments: Engine.stores)
    func lateRenewal(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            let first = try await anna.buy("weekly")
            store.clock.advance(by: .seconds(8 * 86_400))
            var story = try await Story(of: anna)

            _ = try await store.service.refund(TransactionIdentifier(first.transactionIdentifier))
            await store.service.renewSubscriptions()

            #expect(
                try await story.changes()
                    == Changes(
                        events: ["2026-01-10 03:04:05 refunded"], ledger: ["2026-01-10 03:04:05 refund -1490 USD"],
                        phone: ["gone: weekly 2026-01-02 03:04:05"],
                        receipt: [
                            "gone: weekly 2026-01-02 03:04:05 to 2026-01-09 03:04:05",
                            "weekly 2026-01-02 03:04:05 to 2026-01-09 03:04:05 cancelled 2026-01-10 03:04:05",
                        ], now: ["weekly ends (1): revoked"]))
        }
    }

    @Test(
        "One node refunds a period while another renews it: the next one is charged and runs, or is never charged",
        arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            try await nodes.first.sellBaskets()
            var customers: [Subscriber] = []
            for number in 0..<6 {
                let customer = try await nodes.first.subscriber(number)
                try await customer.buy("weekly")
                customers.append(customer)
            }
            let firsts = try await customers.onlyTransactions()
            nodes.first.clock.advance(by: .seconds(7 * 86_400))

            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await nodes.second.service.renewSubscriptions() }
                for first in firsts { group.addTask { _ = try await nodes.first.service.refund(first) } }
                try await group.waitForAll()
            }
            await nodes.second.service.renewSubscriptions()

            try await nodes.first.checkMoney()
            for customer in customers {
                let periods = try await customer.periods()
                #expect(periods.first == "weekly 2026-01-02 03:04:05 to 2026-01-09 03:04:05 refunded")
                switch periods.count {
                case 1: #expect(try await customer.status() == .revoked)
                case 2:
                    #expect(periods.last == "weekly 2026-01-09 03:04:05 to 2026-01-16 03:04:05")
                    #expect(try await customer.status() == .active)
                default: Issue.record("\(periods)")
                }
            }
        }
    }
}

extension [Subscriber] {
    /// The only unfinished transaction of each.
    fileprivate func onlyTransactions() async throws -> [TransactionIdentifier] {
        var transactions: [TransactionIdentifier] = []
        for customer in self {
            let queue = try await customer.phone.queue()
            try #require(queue.count == 1)
            transactions += queue.map { TransactionIdentifier($0.transactionIdentifier) }
        }
        return transactions
    }
}
