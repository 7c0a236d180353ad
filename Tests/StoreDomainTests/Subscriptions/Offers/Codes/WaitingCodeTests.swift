// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Codes whose payment or period waits, while the customer buys something
/// else.
@Suite(.timeLimit(.hang))
struct WaitingCodeTests {
    private static let start = "2026-01-10 20:00:00"

    @Test("A code for new customers isn't given to an account that has subscribed meanwhile", arguments: Engine.stores)
    func subscribedMeanwhile(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let codes = try await store.codes(TestStore.order("letter", size: 1))
            let anna = try await store.subscriber(at: Self.start)
            let asked = try await anna.askForApproval(codes[0])
            try await anna.buy("plain")

            let approved = try await store.service.approve(try #require(asked.transactionIdentifier))
            #expect(approved.status == .failed && approved.failure?.code == .ineligibleForOffer)
            #expect(try await store.redemptions() == 0)
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.ledger() == [5990, 5990])
            // The code is free for a new customer.
            try await store.subscriber(1, at: Self.start).redeem(codes[0])
            #expect(try await store.redemptions() == 1)
        }
    }

    @Test("A code isn't used up for a product that the account has bought meanwhile", arguments: Engine.stores)
    func ownedMeanwhile(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let codes = try await store.codes(TestStore.order(nil, of: "apple", size: 1))
            let anna = try await store.subscriber(at: Self.start)
            let asked = try await anna.askForApproval(codes[0])
            _ = try await anna.phone.buy("apple", request: "own", as: anna.account)

            // There is nothing left to approve.
            let number = try #require(asked.transactionIdentifier)
            await #expect(throws: DomainError(.decided, "")) { try await store.service.approve(number) }
            #expect(try await store.redemptions() == 0)
            #expect(try await anna.ledger() == [990])
        }
    }

    @Test("A code for the next period acts also after another plan was chosen and left again", arguments: Engine.stores)
    func chosenAgain(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let codes = try await store.codes(TestStore.order("any", size: 1))
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            try await anna.redeem(codes[0])
            for product in ["small", "plain"] { try await anna.buy(product) }
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.ledger() == [5990, 990])
            try await anna.advance(to: "2026-03-11 00:00:00")
            #expect(try await anna.ledger() == [5990, 990, 5990])
            try await store.checkMoney()
        }
    }

    @Test("A second code doesn't replace one that acts at the next billing", arguments: Engine.stores)
    func second(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let any = try await store.codes(TestStore.order("any", size: 1))
            let stay = try await store.codes(TestStore.order("stay", batch: "b2", size: 1))
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            try await anna.redeem(any[0])
            #expect(try await anna.refusal(of: stay[0]) == .codeNotEligible)
            #expect(try await store.redemptions() == 1)
            try await anna.advance(to: "2026-02-11 00:00:00")
            try await anna.redeem(stay[0])
            try await anna.advance(to: "2026-03-11 00:00:00")
            #expect(try await anna.ledger() == [5990, 990, 1990])
            try await store.checkMoney()
        }
    }
}

extension Subscriber {
    /// Redeems a code while another person has to approve, and afterwards lets
    /// the account buy alone again.
    fileprivate func askForApproval(_ code: String) async throws -> DeviceRequest {
        _ = try await store.service.change(account: account.email, .init(switches: [.asksToBuy: true]))
        let asked = try await redeem(code)
        #expect(asked.status == .deferred)
        #expect(try await store.redemptions() == 1)
        _ = try await store.service.change(account: account.email, .init(switches: [.asksToBuy: false]))
        return asked
    }
}
