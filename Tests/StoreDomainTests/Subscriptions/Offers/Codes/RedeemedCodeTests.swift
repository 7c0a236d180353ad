// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Customers redeem codes on a sheet.
@Suite(.timeLimit(.hang))
struct RedeemedCodeTests {
    private static let start = "2026-01-10 20:00:00"

    @Test("A new customer gets a free month, which no app has asked for", arguments: Engine.stores)
    func new(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let codes = try await store.codes(TestStore.order("letter"))
            let anna = try await store.subscriber(at: Self.start)
            let sheet = try await anna.codeSheet("r")
            let typed = "\(codes[0].lowercased().prefix(9)) \(codes[0].dropFirst(9))"
            #expect(try await anna.redeem(typed, onSheet: sheet).status == .done)

            #expect(try await anna.offers() == ["plain 1/1"])
            let waiting = try await anna.phone.queue()
            #expect(waiting.map(\.productIdentifier) == ["plain"] && waiting.map(\.requestIdentifier) == [nil])
            // The repeated request has its answer, and no other sheet.
            #expect(try await anna.codeSheet("r") == "")
            try await anna.advance(to: "2026-02-11 00:00:00")
            #expect(try await anna.ledger() == [0, 5990])
            #expect(try await store.redemptions() == 1)
            try await store.checkMoney()
        }
    }

    @Test("A subscriber's code acts at the next billing, and for an upgrade immediately", arguments: Engine.stores)
    func existing(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let stay = try await store.codes(TestStore.order("stay"))
            let up = try await store.codes(TestStore.order("any", of: "large", batch: "b2"))
            let down = try await store.codes(TestStore.order("any", of: "small", batch: "b3"))
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            #expect(try await anna.refusal(of: down[0]) == .codeNotEligible)
            try await anna.redeem(stay[0])
            #expect(try await anna.ledger() == [5990])
            #expect(try await anna.renewals(of: anna.receipt()) == ["plain renews with stay"])
            #expect(try await anna.refusal(of: stay[1]) == .codeRedeemed)
            try await anna.advance(to: "2026-03-11 00:00:00")
            #expect(try await anna.ledger() == [5990, 1990, 1990])
            let listed = try #require(try await anna.verify(anna.receipt()).latest).transactions
            #expect(listed.compactMap(\.offerCodeName) == ["stay", "stay"])
            try await anna.redeem(up[0])
            #expect(try await anna.offers().last == "large 1/1")
            #expect(try await store.redemptions() == 2)
            try await store.checkMoney()
        }
    }

    @Test("A code is for the customers that its offer names", arguments: Engine.stores)
    func eligibility(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let letter = try await store.codes(TestStore.order("letter"))
            let stay = try await store.codes(TestStore.order("stay", batch: "b2"))
            let anna = try await store.subscriber(at: Self.start)
            #expect(try await anna.refusal(of: stay[0]) == .codeNotEligible)
            try await anna.buy("plain")
            #expect(try await anna.refusal(of: letter[0]) == .codeNotEligible)
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-03-01 00:00:00")
            #expect(try await anna.refusal(of: stay[0]) == .codeNotEligible)
            try await anna.redeem(letter[0])
            #expect(try await anna.ledger() == [5990, 0])
            #expect(try await store.redemptions() == 1)
        }
    }

    @Test(
        "A subscriber whose renewal is due and not made yet gets no code for former customers", arguments: Engine.stores
    )
    func betweenPeriods(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let letter = try await store.codes(TestStore.order("letter"))
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            // The store was down: neither the charge ahead nor the renewal is made.
            store.clock.advance(by: .seconds(32 * 86400))

            // Promo codes are valid for 28 days.
            let promo = try await store.codes(TestStore.order(nil, batch: "b2"))
            for code in [letter[0], promo[0]] { #expect(try await anna.refusal(of: code) == .codeNotEligible) }
            await store.service.renewSubscriptions()

            #expect(try await anna.ledger() == [5990, 5990])
            #expect(try await store.redemptions() == 0)
            // The renewal is off: the subscription has ended, although the end isn't recorded.
            try await anna.setRenewal(false)
            store.clock.advance(by: .seconds(32 * 86400))
            #expect(try await anna.refusal(of: letter[0]) == nil)
            try await store.checkMoney()
        }
    }

    @Test("A code that can be combined follows the free week", arguments: Engine.stores)
    func stacked(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let codes = try await store.codes(TestStore.order("stack", of: "trial"))
            let anna = try await store.subscriber(at: Self.start)
            try await anna.redeem(codes[0])
            try await anna.advance(to: "2026-04-20 00:00:00")
            #expect(try await anna.ledger() == [0, 4990, 4990])
            #expect(
                try await anna.periods() == [
                    "trial 2026-01-10 20:00:00 to 2026-01-17 20:00:00",
                    "trial 2026-01-17 20:00:00 to 2026-04-17 19:00:00",
                    "trial 2026-04-17 19:00:00 to 2026-05-17 19:00:00",
                ])
        }
    }

    @Test("A promo code gives one period, and a consumable for nothing", arguments: Engine.stores)
    func promo(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let plain = try await store.codes(TestStore.order(nil))
            let promo = try await store.codes(TestStore.order(nil, of: "water", batch: "b2"))
            let half = try await store.codes(TestStore.order("half", of: "water", batch: "b3"))
            let anna = try await store.subscriber(at: Self.start)
            try await anna.redeem(plain[0])
            #expect(try await anna.refusal(of: plain[1]) == .codeNotEligible)
            for code in [promo[0], promo[1], half[0]] { try await anna.redeem(code) }
            #expect(try await anna.refusal(of: half[1]) == .codeRedeemed)
            let queue = try await anna.phone.queue()
            let water = queue.filter { $0.productIdentifier == "water" && $0.requestIdentifier == nil }
            #expect(water.count == 3)
            let offers = try await store.context.read { db in
                try water.compactMap {
                    try Purchase.find(TransactionIdentifier($0.transactionIdentifier), db)?.codeOffer
                }
            }
            #expect(offers == ["half"])
            try await anna.advance(to: "2026-03-01 00:00:00")
            #expect(try await anna.status() == .expired)
            #expect(try await anna.ledger().sorted() == [0, 0, 0, 450])
            try await store.checkMoney()
        }
    }

    @Test("An unknown, a used, an expired and a revoked code are refused", arguments: Engine.stores)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let end = store.clock.now + .seconds(3600)
            let used = try await store.codes(TestStore.order("any"))
            let ending = try await store.codes(TestStore.order("any", batch: "b2", expires: end))
            let revoked = try await store.codes(TestStore.order("any", batch: "b3"))
            let removed = try await store.codes(TestStore.order("letter", batch: "b4"))
            let anna = try await store.subscriber(at: Self.start)
            let ben = try await store.subscriber(1, at: Self.start)
            try await anna.redeem(used[0])
            #expect(try await ManagingCodes(store.context).revoke("b3").revoked != nil)
            store.clock.advance(by: .seconds(3601))
            #expect(try await ben.refusal(of: used[0]) == .codeUsed)
            #expect(try await ben.refusal(of: ending[0]) == .codeExpired)
            #expect(try await ben.refusal(of: revoked[0]) == .codeRevoked)
            try await store.sellCodes(hasLetter: false)
            #expect(try await ben.refusal(of: removed[0]) == .codeRevoked)
            // A sheet stays open for another code.
            let sheet = try await ben.codeSheet()
            #expect(try await ben.refusal(of: "ABCD", onSheet: sheet) == .codeUnknown)
            #expect(try await ben.refusal(of: used[1], onSheet: sheet) == nil)
            #expect(try await store.redemptions() == 2)
        }
    }

    @Test("The terms that were shown are the only ones that are redeemed", arguments: Engine.stores)
    func otherTerms(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let codes = try await store.codes(TestStore.order("letter"))
            let others = try await store.codes(TestStore.order("any", of: "large", batch: "b2"))
            let anna = try await store.subscriber(at: Self.start)
            let sheet = try await anna.codeSheet()
            let redeeming = RedeemingCode(store.context)
            func redeem(_ code: String, _ terms: CodeTerms) async throws -> DeviceRequest.Status {
                try await redeeming(
                    code: code, sheet: sheet, account: anna.account, shown: AgreedTerms(terms.shown)
                ).request.status
            }
            // The month is free before and after, and the price that follows it isn't the same.
            let free = try await redeeming.terms(of: codes[0], onSheet: sheet, account: anna.account)
            try await store.raise("plain", to: "7.99", .keep)
            await #expect(throws: DomainError(.priceChanged, "")) { _ = try await redeem(codes[0], free) }
            let dearer = try await redeeming.terms(of: codes[0], onSheet: sheet, account: anna.account)
            #expect(dearer.offer?.regularPrice.milliunits == 7990)
            #expect(try await store.redemptions() == 0)
            #expect(try await redeem(codes[0], dearer) == .done)
            #expect(try await store.redemptions() == 1)

            // An offer that is removed between its terms and the confirmation.
            let ben = try await store.subscriber(1, at: Self.start)
            let second = try await ben.codeSheet()
            let terms = try await redeeming.terms(of: others[0], onSheet: second, account: ben.account)
            try await store.sellOffers()
            await #expect(throws: DomainError(.codeRevoked, "")) {
                _ = try await redeeming(
                    code: others[0], sheet: second, account: ben.account, shown: AgreedTerms(terms.shown))
            }
            // That is the free month of before.
            #expect(try await ben.ledger() == [0])
        }
    }

    @Test(
        "A code whose offer is removed before the approval is given back, and costs nothing", arguments: Engine.stores)
    func removedBeforeApproval(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let codes = try await store.codes(TestStore.order("letter"))
            let anna = try await store.subscriber(at: Self.start)
            _ = try await store.service.change(account: anna.account.email, .init(switches: [.asksToBuy: true]))
            let asked = try #require(try await anna.redeem(codes[0]).transactionIdentifier)
            try await store.sellCodes(hasLetter: false)
            let refused = try await store.service.approve(asked)
            #expect(refused.status == .failed && refused.failure?.code == .invalidOfferIdentifier)
            #expect(try await store.redemptions() == 0)
            #expect(try await anna.phone.queue().isEmpty)
            #expect(try await anna.ledger() == [])
        }
    }

    @Test("A refund makes a former customer, whose code gives the offer once", arguments: Engine.stores)
    func refunded(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let codes = try await store.codes(TestStore.order("letter"))
            let stay = try await store.codes(TestStore.order("stay", batch: "b2"))
            let anna = try await store.subscriber(at: Self.start)
            let bought = try await anna.buy("plain")
            _ = try await RefundingPurchase(store.context)(TransactionIdentifier(bought.transactionIdentifier))
            #expect(try await anna.refusal(of: stay[0]) == .codeNotEligible)
            try await anna.advance(to: "2026-01-11 00:00:00")
            try await anna.redeem(codes[0])
            #expect(try await anna.offers() == ["plain", "plain 1/1"])
            #expect(try await anna.refusal(of: codes[1]) == .codeRedeemed)
        }
    }

    @Test(
        "A promo code's non-consumable reaches every device, and a consumable the redeeming one",
        arguments: Engine.stores)
    func devices(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let pears = try await store.codes(TestStore.order(nil, of: "pear"))
            let promo = try await store.codes(TestStore.order(nil, of: "water", batch: "b2"))
            let anna = try await store.subscriber(at: Self.start)
            let tablet = try await store.addDevice(9)
            try await tablet.buy("apple", request: "1", as: anna.account)
            _ = try await store.service.feed(
                EventSubscription(
                    credentials: tablet.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))
            for code in [pears[0], promo[0]] { try await anna.redeem(code) }
            #expect(try await anna.phone.queue().map(\.productIdentifier).sorted() == ["pear", "water"])
            #expect(try await tablet.queue().map(\.productIdentifier).sorted() == ["apple", "pear"])
            #expect(try await anna.refusal(of: pears[1]) == .codeNotEligible)
            #expect(try await anna.ledger().sorted() == [0, 0, 990])
        }
    }

    @Test("After ten wrong codes the next ones wait, on the other node too", arguments: Engine.stores)
    func guesses(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            try await nodes.first.sellCodes()
            let codes = try await nodes.first.codes(TestStore.order("any"))
            let anna = try await nodes.first.subscriber()
            for _ in 0..<10 { #expect(try await anna.refusal(of: "WRONG-CODE") == .codeUnknown) }
            let there = Subscriber(store: nodes.second, account: anna.account, phone: anna.phone)
            #expect(try await there.refusal(of: codes[0]) == .throttled)
            nodes.first.clock.advance(by: .seconds(2))
            #expect(try await there.refusal(of: codes[0]) == nil)
        }
    }

    @Test("A declined card gives the code back, and the sheet takes another", arguments: Engine.stores)
    func declined(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let codes = try await store.codes(TestStore.order("any", size: 1))
            let anna = try await store.subscriber(at: Self.start)
            let sheet = try await anna.codeSheet()
            store.cardLimit.milliunits = 0
            #expect(try await anna.refusal(of: codes[0], onSheet: sheet) == .declined)
            #expect(try await store.redemptions() == 0)
            store.cardLimit.milliunits = .max
            try await anna.redeem(codes[0], onSheet: sheet)
            #expect(try await store.redemptions() == 1)
            #expect(try await anna.ledger() == [990])
            try await store.checkMoney()
        }
    }

    @Test("A code waits with its request for an approval, and is given back by a refusal", arguments: Engine.stores)
    func approval(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellCodes()
            let codes = try await store.codes(TestStore.order("any", size: 1))
            let anna = try await store.subscriber(at: Self.start)
            _ = try await store.service.change(account: anna.account.email, .init(switches: [.asksToBuy: true]))
            let asked = try await anna.redeem(codes[0])
            #expect(asked.status == .deferred)
            #expect(try await store.redemptions() == 1)
            let first = try #require(asked.transactionIdentifier)
            try await store.service.decline(first)
            try await store.service.decline(first)
            #expect(try await store.redemptions() == 0)
            let second = try #require(try await anna.redeem(codes[0]).transactionIdentifier)
            #expect(try await store.service.approve(second).status == .done)
            #expect(try await anna.ledger() == [990])
            #expect(try await store.redemptions() == 1)
            try await store.checkMoney()
        }
    }
}
