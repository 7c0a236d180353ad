// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Disputes and failed captures, which the payment provider reports.
struct ReversalTests {
    @Test("A dispute takes the rest of the amount out of the ledger, and its end decides", arguments: Engine.stores)
    func disputes(engine: Engine) async throws {
        for (end, left) in [(ProviderEvent.Kind.disputeWon, Int64(690)), (.disputeLost, 0)] {
            try await engine.withNodes { nodes in
                let store = nodes.first
                let apple = try await nodes.customer(0).apple()
                let payment = try #require(try await store.payment("captured"))
                try await store.service.refund(apple, amount: "0.30")

                try await store.report(.disputed, payment, "1")
                try await store.report(.disputed, payment, "1")
                try await store.report(.disputed, payment, "2")
                #expect(try await store.ledger().reduce(0, +) == 0)
                let refusal = await #expect(throws: DomainError.self) {
                    try await store.service.refund(apple, amount: "0.01")
                }
                #expect(refusal?.code == .refundTooLarge)

                try await store.report(end, payment, "3")
                try await store.report(end, payment, "4")
                #expect(try await store.outcomes() == ["reversed", "ignored", "reversed", "waits"])
                #expect(try await store.ledger().reduce(0, +) == left, "\(end.rawValue)")
                // A dispute changes no purchase: the part is that of the refund.
                #expect(try await store.count("purchase", where: "revoked_part = 30303") == 1)

                let refunded = try await store.service.refund(apple)
                #expect(refunded.revoked != nil && (refunded.revokedPart == nil) == (left > 0))
                #expect(try await store.ledger().reduce(0, +) == 0)
                #expect(try await store.count("refund", where: "status = 'done'") == (left > 0 ? 2 : 1))
                store.clock.advance(by: .seconds(3600))
                await store.service.handleProviderEvents()
                #expect(try await store.outcomes() == ["reversed", "ignored", "reversed", "ignored"])
            }
        }
    }

    @Test("The end of a dispute that overtakes the dispute waits for it", arguments: Engine.stores)
    func overtaking(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            _ = try await nodes.customer(0).apple()
            let payment = try #require(try await store.payment("captured"))

            try await store.report(.disputeWon, payment, "1")
            await store.service.handleProviderEvents()
            #expect(try await store.outcomes() == ["waits"])
            #expect(try await store.ledger() == [990])
            try await store.report(.disputed, payment, "2")
            #expect(try await store.outcomes() == ["waits", "reversed"])
            await store.service.handleProviderEvents()

            #expect(try await store.outcomes() == ["reversed", "reversed"])
            #expect(try await store.ledger().reduce(0, +) == 990)
        }
    }

    @Test("The money of a dispute that is won after the purchase was revoked is given back", arguments: Engine.stores)
    func wonLate(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            let customer = try await nodes.customer(0)
            let apple = try await customer.apple()
            let payment = try #require(try await store.payment("captured"))
            try await store.report(.disputed, payment, "1")

            // There is no money to give back, and a repeat changes nothing.
            let revoked = try #require(try await store.service.refund(apple).revoked)
            try await store.service.refund(apple)
            #expect(try await store.ledger() == [990, 0, -990])
            _ = try await customer.phone.buy("apple", request: "again", as: customer.account)
            store.clock.advance(by: .seconds(60))
            try await store.report(.disputeWon, payment, "2")
            #expect(try await store.ledger().reduce(0, +) == 990 + 990)

            for _ in 0..<2 { #expect(try await store.service.refund(apple).revoked == revoked) }

            #expect(try await store.ledger().reduce(0, +) == 990)
            #expect(try await store.count("refund", where: "status = 'done' AND milliunits = 990") == 1)
            #expect(try await store.payment("refunded") == payment)
            let late = "kind = 'refund' AND milliunits < 0 AND at > \(revoked.milliseconds)"
            #expect(try await store.count("ledger_entry", where: late) == 1)
            // The purchase that was made again stays.
            #expect(try await store.count("purchase", where: "revoked_at IS NULL") == 1)
            #expect(try await store.count("reservation") == 1)
        }
    }

    @Test("A won dispute may be followed by another one", arguments: Engine.stores)
    func twice(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            _ = try await nodes.customer(0).apple()
            let payment = try #require(try await store.payment("captured"))
            let kinds: [ProviderEvent.Kind] = [.disputed, .disputeWon, .disputed, .disputeLost]

            for (number, kind) in kinds.enumerated() { try await store.report(kind, payment, "\(number)") }

            #expect(try await store.ledger() == [990, 990, 0, -990, -990])
        }
    }

    @Test("A capture that failed takes the charge out of the ledger once", arguments: Engine.stores)
    func captureFailed(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let store = nodes.first
            let apple = try await nodes.customer(0).apple()
            let payment = try #require(try await store.payment("captured"))

            try await store.report(.captureFailed, payment, "1")
            try await store.report(.captureFailed, payment, "2")
            try await store.report(.disputed, payment, "3")

            #expect(try await store.outcomes() == ["reversed", "ignored", "ignored"])
            #expect(try await store.ledger() == [990, -990])
            #expect(try await store.payment("uncollected") == payment)
            // There is no money to give back, and the purchase can be revoked.
            let refunded = try await store.service.refund(apple)
            #expect(refunded.revoked != nil)
            #expect(try await store.ledger() == [990, 0, -990])
            #expect(try await store.count("refund") == 0)
        }
    }

    @Test("A reversal of a payment without a purchase changes nothing", arguments: Engine.stores)
    func pending(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.customer()
            try await store.answerPayments()
            _ = try await anna.buyPendingApple()
            let payment = try #require(try await store.payment("pending"))

            for kind in [ProviderEvent.Kind.disputed, .disputeWon, .disputeLost, .captureFailed] {
                try await store.report(kind, payment, kind.rawValue)
            }

            #expect(try await store.outcomes().sorted() == ["ignored", "ignored", "waits", "waits"])
            #expect(try await store.payment("pending") == payment)

            store.clock.advance(by: .seconds(3600))
            await store.service.handleProviderEvents()

            #expect(try await store.outcomes() == Array(repeating: "ignored", count: 4))
            #expect(try await store.payment("pending") == payment)
        }
    }

    @Test("Two nodes get the event of a dispute concurrently, and write one entry", arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            _ = try await nodes.customer(0).apple()
            let payment = try #require(try await nodes.first.payment("captured"))

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask { try await nodes[number].report(.disputed, payment, "\(number % 3)") }
                }
                try await group.waitForAll()
            }

            #expect(try await nodes.first.ledger() == [990, -990])
            #expect(try await nodes.first.outcomes().sorted() == ["ignored", "ignored", "reversed"])
        }
    }
}

extension TestStore {
    /// Receives an event of the payment provider.
    fileprivate func report(
        _ kind: ProviderEvent.Kind, _ payment: PaymentIdentifier, _ identifier: String
    ) async throws {
        try await service.receive(ProviderEvent(identifier: identifier, payment: payment, kind: kind))
    }
}
