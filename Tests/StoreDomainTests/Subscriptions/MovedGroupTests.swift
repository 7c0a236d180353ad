// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// An import moves a product to another subscription group while a payment for
/// it waits for its provider.
@Suite(.timeLimit(.hang))
struct MovedGroupTests {
    private static let start = "2026-01-10 20:00:00"

    @Test("A first period isn't charged, and the product can be bought in its new group", arguments: Engine.stores)
    func first(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await waiting(store, owning: nil)
            let payment = try #require(try await store.payment("pending"))
            try await store.sellLarge(in: "PAPERS")
            try await store.service.answer(payment, isConfirmed: true)
            try await store.settlePayments()

            try await checkNothingIsUnderWay(anna, payment)
            #expect(try await store.count("subscription") == 0)
            for product in ["large", "small"] { try await anna.buy(product) }
            #expect(try await anna.ledger().sorted() == [4990, 9990])
            try await store.checkMoney()
        }
    }

    @Test(
        "An upgrade isn't charged, and the subscription of the old group goes on", arguments: Engine.stores,
        [true, false])
    func upgrade(engine: Engine, isConfirmed: Bool) async throws {
        try await engine.withStore { store in
            let anna = try await waiting(store, owning: "small")
            let payment = try #require(try await store.payment("pending"))
            try await store.sellLarge(in: "PAPERS")
            try await store.service.answer(payment, isConfirmed: isConfirmed)
            try await store.settlePayments()

            if isConfirmed { try await checkNothingIsUnderWay(anna, payment) }
            try await store.answerPayments { $0 = SandboxAnswer() }
            #expect(try await store.count("subscription", where: "payment_number IS NOT NULL") == 0)
            try await anna.buy("small")
            try await anna.buy("large")
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.ledger().sorted() == [4990, 4990, 9990, 9990])
            try await store.checkMoney()
        }
    }

    @Test("A subscription of the new group, whose own payment waits, isn't changed", arguments: Engine.stores)
    func both(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await waiting(store, owning: "small")
            let payment = try #require(try await store.payment("pending"))
            let paper = try anna.phone.token(try await anna.phone.ask("paper", request: "paper").sheet)
            #expect(
                try await store.service.buy(onSheet: paper, as: anna.account, shown: nil).status == .processing)
            try await store.sellLarge(in: "PAPERS")
            try await store.service.answer(payment, isConfirmed: true)
            try await store.settlePayments()
            try await checkNothingIsUnderWay(anna, payment, others: 1)

            let other = try #require(try await store.payment("pending"))
            try await store.service.answer(other, isConfirmed: true)
            try await store.settlePayments()
            #expect(try await anna.ledger() == [4990, 2990])
            #expect(try await store.count("subscription", where: "payment_number IS NOT NULL") == 0)
            try await store.checkMoney()
        }
    }

    /// A customer whose payment for `large` waits.
    private func waiting(_ store: TestStore, owning owned: String?) async throws -> Subscriber {
        try await store.sellLarge(in: "BASKETS")
        let anna = try await store.subscriber(at: Self.start)
        if let owned { try await anna.buy(owned) }
        try await store.answerPayments { $0.lifetime = .seconds(40 * 86_400) }
        let sheet = try anna.phone.token(try await anna.phone.ask("large", request: "large").sheet)
        #expect(try await store.service.buy(onSheet: sheet, as: anna.account, shown: nil).status == .processing)
        return anna
    }

    /// Checks that the payment was released and blocks nothing, and that the
    /// app has the reason. The next payments are answered immediately.
    private func checkNothingIsUnderWay(
        _ anna: Subscriber, _ payment: PaymentIdentifier, others: Int = 0
    ) async throws {
        let store = anna.store
        let failure = try await anna.phone.ask("large", request: "large").failure
        #expect(failure?.message.contains("another subscription group") == true, "\(String(describing: failure))")
        #expect(try await store.payment("voided") == payment)
        #expect(try await store.count("subscription", where: "payment_number IS NOT NULL") == others)
        if others == 0 { try await store.answerPayments { $0 = SandboxAnswer() } }
    }
}

extension TestStore {
    /// Sells a small basket and a newspaper, and a large basket in the group of
    /// one of them.
    fileprivate func sellLarge(in group: String) async throws {
        let large = Self.subscription("large", "9.99", "P1M", 1, group)
        let small = Self.subscription("small", "4.99", "P1M", 2, "BASKETS")
        let paper = Self.subscription("paper", "2.99", "P1M", 2, "PAPERS")
        let (baskets, papers) = group == "BASKETS" ? ([large, small], [paper]) : ([small], [large, paper])
        try await sell(
            Self.catalogue.replacing(
                "\"version\" :",
                with: """
                    "subscriptionGroups" : [
                      { "id" : "BASKETS", "name" : "Baskets", "localizations" : [],
                        "subscriptions" : [ \(baskets.joined(separator: ", ")) ] },
                      { "id" : "PAPERS", "name" : "Papers", "localizations" : [],
                        "subscriptions" : [ \(papers.joined(separator: ", ")) ] } ],
                    "version" :
                    """))
    }
}
