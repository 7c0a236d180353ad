// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Offers for former subscribers, which need no signature.
@Suite(.timeLimit(.hang))
struct WinBackOfferTests {
    private static let start = "2026-01-10 20:00:00"

    @Test("A former subscriber comes back, and pays the regular price after the offer", arguments: Engine.stores)
    func comesBack(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers(hasWinBack: true)
            let anna = try await store.subscriber(at: Self.start)
            let first = try await anna.buy("plain").transactionIdentifier
            #expect(try await anna.winBack("back").failure?.code == .ineligibleForOffer)
            #expect(try await anna.winBacks().isEmpty)
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-03-01 00:00:00")
            #expect(try await anna.winBacks() == ["month", "back"])
            let listed = ReadingSubscriptionStatuses(store.context)
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            #expect(
                try await listed(of: TransactionIdentifier(first), in: app).map(\.renewal.winBackOffers) == [
                    ["month", "back"]
                ])

            try await anna.buyWinBack("back")
            #expect(try await listed(of: TransactionIdentifier(first), in: app).map(\.renewal.winBackOffers) == [[]])
            try await anna.advance(to: "2026-05-02 00:00:00")
            #expect(try await anna.ledger() == [5990, 990, 990, 5990])
            #expect(try await anna.offers() == ["plain", "plain 1/2", "plain 2/2", "plain"])
            try await store.checkMoney()
        }
    }

    @Test("Each customer who may not have the offer gets the reason, and pays nothing", arguments: Engine.stores)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers(hasWinBack: true)
            let anna = try await store.subscriber(at: Self.start)
            func refusal(_ offer: String = "back", of product: String = "plain") async throws -> String {
                let failure = try await anna.winBack(offer, of: product).failure
                #expect(failure?.code == .ineligibleForOffer)
                return failure?.message ?? ""
            }
            #expect(try await refusal().contains("no subscription of the group"))
            try await anna.buy("plain")
            #expect(try await refusal().contains("hasn't ended"))
            try await anna.setRenewal(false)
            #expect(try await refusal().contains("hasn't ended"))
            try await anna.advance(to: "2026-03-01 00:00:00")
            #expect(try await refusal("off").contains("isEligible"))
            #expect(try await anna.winBack("none").failure?.code == .invalidOfferIdentifier)
            #expect(try await anna.winBack("back", of: "small").failure?.code == .invalidOfferIdentifier)

            try await anna.buy("small")
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-05-01 00:00:00")
            #expect(try await refusal().contains("had \"small\" last"))
        }
    }

    @Test("A refund, and a charge that is retried, have their own reasons", arguments: Engine.stores)
    func refundedOrRetried(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers(hasWinBack: true)
            let anna = try await store.subscriber(at: Self.start)
            let bought = try await anna.buy("plain")
            _ = try await RefundingPurchase(store.context)(TransactionIdentifier(bought.transactionIdentifier))
            let refunded = try await anna.winBack("back").failure
            #expect(refunded?.code == .ineligibleForOffer)
            #expect(refunded?.message.contains("the price of this account's last period was given back") == true)
            #expect(refunded?.message.contains("hasn't ended") == false)

            let ben = try await store.subscriber(1, at: Self.start)
            try await ben.buy("plain")
            store.cardLimit.milliunits = 0
            try await ben.advance(to: "2026-02-12 00:00:00")
            let retried = try await ben.winBack("back").failure
            #expect(retried?.code == .ineligibleForOffer)
            #expect(retried?.message.contains("is being retried") == true)
        }
    }

    @Test("The months paid, lapsed and waited decide where time is real", arguments: Engine.stores)
    func conditions(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers(hasWinBack: true)
            let conditions = WinBackConditions(paidMonths: 2, lapsedMonths: 2...3, waitMonths: 6)
            try await store.set(conditions)
            let anna = try await store.subscriber(at: Self.start)
            try await anna.buy("plain")
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-04-20 00:00:00")
            #expect(try await anna.winBack("back").failure?.message.contains("paid for 2 months") == true)

            try await anna.buy("plain")
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-06-01 00:00:00")
            #expect(try await anna.winBack("back").failure?.message.contains("2 to 3 months ago") == true)
            try await anna.advance(to: "2026-07-21 00:00:00")
            try await anna.buyWinBack("back")
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-10-25 00:00:00")
            #expect(try await anna.winBack("back").failure?.message.contains("6 months after") == true)
            try await store.set(nil)
            #expect(try await anna.winBack("back").status == .authorise)
        }
    }

    @Test("An offer that is removed before Buy is refused, and costs nothing", arguments: Engine.stores)
    func removed(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await formerSubscriber(store)
            let token = try anna.phone.token(try await anna.winBack("back", request: "r").sheet)
            try await store.sellOffers()
            let refused = try await store.service.buy(onSheet: token, as: anna.account, shown: nil)
            #expect(refused.failure?.code == .invalidOfferIdentifier)
            #expect(try await anna.winBack("back", request: "r").failure?.message == refused.failure?.message)
            #expect(try await anna.ledger() == [5990])
        }
    }

    @Test("A regular price that rises between the sheet and Buy is shown again", arguments: Engine.stores)
    func priceRises(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await formerSubscriber(store)
            // With the clock of now: the page has the account of its session.
            let account = try await FindingAccount(store.context)(email: anna.account.email)
            let token = try anna.phone.token(try await anna.winBack("back").sheet)
            let shown = try await store.service.sheet(token, as: account)
            try await store.raise("plain", to: "7.99", .keep)
            await #expect(throws: DomainError(.priceChanged, "")) {
                _ = try await store.service.buy(
                    onSheet: token, as: account, shown: shown.shown.map(AgreedTerms.init))
            }
            let again = try await store.service.sheet(token, as: account)
            #expect(again.terms?.offer?.regularPrice.milliunits == 7990)
            let bought = try await store.service.buy(
                onSheet: token, as: account, shown: again.shown.map(AgreedTerms.init))
            #expect(bought.status == .done)
            #expect(try await anna.ledger() == [5990, 990])
        }
    }

    /// A customer whose subscription of `plain` has ended.
    private func formerSubscriber(_ store: TestStore) async throws -> Subscriber {
        try await store.sellOffers(hasWinBack: true)
        let anna = try await store.subscriber(at: Self.start)
        try await anna.buy("plain")
        try await anna.setRenewal(false)
        try await anna.advance(to: "2026-03-01 00:00:00")
        return anna
    }

    @Test("Conditions that no offer can have are refused")
    func limits() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.sellOffers(hasWinBack: true)
            for conditions in [
                WinBackConditions(paidMonths: 0), WinBackConditions(paidMonths: 61),
                WinBackConditions(lapsedMonths: 0...25), WinBackConditions(lapsedMonths: -1...2),
                WinBackConditions(waitMonths: 1), WinBackConditions(waitMonths: .max),
            ] {
                await #expect(throws: DomainError(.invalid, "")) { try await store.set(conditions) }
            }
            await #expect(throws: DomainError(.notFound, "")) { try await store.set(nil, of: "none") }
        }
    }
}

extension TestStore {
    fileprivate func set(_ conditions: WinBackConditions?, of offer: String = "back") async throws {
        try await SettingWinBackConditions(context)(
            conditions, priority: .normal, of: offer, product: "plain",
            in: BundleIdentifier(Self.bundleIdentifier))
    }
}

extension Subscriber {
    /// The win-back offers of `plain` that the customer may use.
    fileprivate func winBacks() async throws -> [String] {
        try await FindingWinBackOffers(store.context)(
            of: "plain", in: BundleIdentifier(TestStore.bundleIdentifier), for: account.identifier
        ).map(\.identifier)
    }

    /// Asks for a payment with a win-back offer.
    fileprivate func winBack(
        _ offer: String, of product: String = "plain", request: String = UUID().uuidString
    ) async throws -> PaymentCall.Answer {
        try await phone.call(
            PaymentCall(
                requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier, productIdentifier: product,
                quantity: 1, winBackOffer: offer))
    }

    fileprivate func buyWinBack(_ offer: String) async throws {
        let token = try phone.token(try await winBack(offer).sheet)
        let bought = try await store.service.buy(onSheet: token, as: account, shown: nil)
        #expect(bought.failure == nil)
    }
}
