// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A subscriber who takes actions with offers, codes and prices, and the
/// consequences that each action must have.
struct OfferedSubscriber {
    /// The store's answer to an attempt to buy.
    enum Outcome: Sendable {
        case done
        /// The bank decides.
        case waits
        case refused
    }

    let anna: Subscriber
    private let seller: Seller
    private let codes: [OfferedBaskets.Code]
    private(set) var expected = ExpectedPrices()
    /// How often each code was redeemed, by its place.
    private var redeemed: [Int: Int] = [:]
    private var others: [Subscriber] = []

    init(_ store: TestStore, graceDays: Int) async throws {
        try await store.sellOfferedBaskets(graceDays: graceDays)
        codes = try await OfferedBaskets.makeCodes(in: store)
        seller = try await Seller(store)
        anna = try await store.subscriber(at: "2026-01-10 20:00:00")
    }

    /// Carries out an action, and follows its consequences.
    mutating func take(_ action: OfferAction) async throws {
        switch action {
        case .plain(.buy(let product)):
            try await attempt(product) { try await Self.confirm($0, $0.phone.ask(product, request: UUID().uuidString)) }
        case .plain(let action): try await take(action)
        case .promotional(let product, let offer, let flaw): try await promote(product, offer, flaw)
        case .winBack(let product): try await winBack(product)
        case .redeem(let place): try await redeem(place)
        case .othersRedeem: try await raceForWord()
        case .price(let change, let isScheduled): try await set(change, isScheduled: isScheduled)
        case .answer(let agrees, let place): try await answer(agrees, place)
        }
    }

    /// The account, the time and the speed before an action.
    private func occasion() async throws -> ExpectedPrices.Occasion {
        let account = try await FindingAccount(anna.store.context)(email: anna.account.email)
        return ExpectedPrices.Occasion(
            country: account.storefront.countryCode, speed: account.clock.speed,
            now: account.time(at: anna.store.context.clock.now()))
    }

    private mutating func follow(_ occasion: ExpectedPrices.Occasion) async throws {
        for each in try await anna.subscriptions() {
            let events = try await anna.store.context.read { db in try each.subscription.history(db) }
            expected.follow(each.subscription.group.rawValue, events, occasion)
        }
        expected.wait(occasion)
    }

    private mutating func take(_ action: SubscriberAction) async throws {
        var occasion = try await occasion()
        switch action {
        case .setRenewal, .choose: occasion.mayAgree = true
        case .renewNow: (occasion.mayAgree, occasion.forces) = (true, true)
        default: break
        }
        try await action.perform(by: anna)
        try await follow(occasion)
    }

    /// Tries to buy, and follows the consequences. A refused attempt has none.
    /// `named` is the offer that the customer names. `mustFail` says why the
    /// store has to refuse it; it is `nil` when it may not.
    @discardableResult
    private mutating func attempt(
        _ product: String, with named: OfferedBaskets.Offer? = nil, mustFail: String? = nil,
        _ body: @Sendable (Subscriber) async throws -> Outcome
    ) async throws -> Outcome {
        var occasion = try await occasion()
        occasion.mayAgree = true
        let (terms, before) = (expected.terms(of: product, with: named, occasion), try await books())
        let outcome = try await body(anna)
        if let mustFail {
            #expect(outcome == .refused, "\(mustFail), and \(product) with \(named?.name ?? "no offer") was sold")
        }
        if outcome == .refused {
            if let mustFail { expected.note("refused \(mustFail)") }
            let now = try await books()
            #expect(now == before, "\(product) was refused with consequences")
        } else {
            (occasion.confirmed, occasion.named, occasion.waits) = (terms, named, outcome == .waits)
        }
        try await follow(occasion)
        return outcome
    }

    /// The numbers of the rows that a refused attempt must not change.
    private func books() async throws -> [Int] {
        try await anna.store.context.database.read { connection in
            try [
                "SELECT count(*) AS n FROM subscription_event", "SELECT count(*) AS n FROM purchase",
                "SELECT count(*) AS n FROM ledger_entry", "SELECT count(*) AS n FROM code_redemption",
                "SELECT count(*) AS n FROM offer_code WHERE uses > 0",
                "SELECT count(*) AS n FROM payment WHERE status IN ('reserved', 'pending', 'authorised')",
            ].map { try connection.row($0)?.get("n") ?? 0 }
        }
    }

    /// Presses Buy if the store shows a sheet.
    private static func confirm(_ anna: Subscriber, _ answer: PaymentCall.Answer) async throws -> Outcome {
        guard answer.status == .authorise else { return .refused }
        let token = try anna.phone.token(answer.sheet)
        do {
            return outcome(try await anna.store.service.buy(onSheet: token, as: anna.account, shown: nil))
        } catch is DomainError {
            return .refused
        }
    }

    private static func outcome(_ request: DeviceRequest) -> Outcome {
        request.status == .done ? .done : request.status == .processing ? .waits : .refused
    }
}

/// Offers and codes.
extension OfferedSubscriber {
    private mutating func promote(_ product: String, _ offer: String, _ flaw: OfferAction.Flaw?) async throws {
        let values = seller.values(product, offer: offer)
        let discount =
            switch flaw {
            case .otherOffer: try seller.discount(values) { $0.offerIdentifier = "other" }
            case .otherKey: try seller.discount(values) { $0.keyIdentifier = "OTHER" }
            case .usedNonce, nil: try seller.discount(values)
            }
        // Another payment has used the nonce, and its sheet stays open.
        if flaw == .usedNonce { _ = try await anna.ask(product, discount) }
        let mustFail = flaw != nil ? "signature" : expected.hasAny ? nil : "offer"
        try await attempt(
            product, with: OfferedBaskets.offer(.promotional, offer, of: product), mustFail: mustFail
        ) { try await Self.confirm($0, $0.ask(product, discount)) }
    }

    private mutating func winBack(_ product: String) async throws {
        let line = expected.lines[OfferedBaskets.plan(product)?.group ?? ""]
        let now = try await occasion().now
        let isFormer = line.map { $0.product == product && !$0.isRevoked && !$0.isInRetry && now >= $0.end } ?? false
        try await attempt(
            product, with: OfferedBaskets.offer(.winBack, "back", of: product), mustFail: isFormer ? nil : "offer"
        ) { anna in
            let call = PaymentCall(
                requestIdentifier: UUID().uuidString, bundleIdentifier: TestStore.bundleIdentifier,
                productIdentifier: product, quantity: 1, winBackOffer: "back")
            return try await Self.confirm(anna, anna.phone.call(call))
        }
    }

    private mutating func redeem(_ place: Int) async throws {
        let code = codes[place]
        let isUsed = redeemed[place, default: 0] >= code.limit
        let wasGiven = !code.offer.isEmpty && expected.given["\(code.product) \(code.offer)"] != nil
        let outcome = try await attempt(
            code.product, with: OfferedBaskets.offer(of: code), mustFail: isUsed || wasGiven ? "code" : nil
        ) { anna in
            do { return Self.outcome(try await anna.redeem(code.text)) } catch is DomainError { return .refused }
        }
        if outcome == .done { redeemed[place, default: 0] += 1 }
    }

    /// Three other customers redeem the word at the same time: no more than it
    /// allows get its offer.
    private mutating func raceForWord() async throws {
        if others.isEmpty {
            for number in 1...3 { others.append(try await anna.store.subscriber(number)) }
        }
        let before = try await anna.store.redemptions()
        let won = try await withThrowingTaskGroup(of: Bool.self) { group in
            for other in others {
                group.addTask { try await other.refusal(of: OfferedBaskets.word.text) == nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        redeemed[0, default: 0] += won
        #expect(redeemed[0, default: 0] <= OfferedBaskets.word.limit)
        #expect(try await anna.store.redemptions() == before + won)
    }

    /// Compares the uses of codes with the offers that they have given. With
    /// `isSettled` no bank decides about a payment.
    func checkCodes(isSettled: Bool, _ story: String) async throws {
        let store = anna.store
        let uses = try await store.context.database.read { connection in
            try connection.rows(
                """
                SELECT hash, uses, uses_limit, (SELECT count(*) FROM code_redemption r WHERE r.hash = c.hash) AS n
                FROM offer_code c ORDER BY hash
                """
            ).map { [try $0.get("uses"), try $0.get("uses_limit"), try $0.get("n")] as [Int] }
        }
        #expect(uses.count == OfferedBaskets.codes && uses.allSatisfy { $0[0] == $0[2] && $0[0] <= $0[1] }, "\(story)")
        let open =
            isSettled ? "" : "AND payment_number NOT IN (SELECT payment_number FROM payment WHERE \(Self.isOpen))"
        #expect(try await store.count("code_redemption", where: "transaction_id IS NULL \(open)") == 0, "\(story)")
        let account = anna.account.identifier
        let given = try await store.context.database.read { connection in
            try connection.rows(
                """
                SELECT r.product_id, r.offer_id, count(*) AS n FROM code_redemption r
                    JOIN purchase p ON p.transaction_id = r.transaction_id AND p.account_id = r.account_id
                WHERE r.account_id = $1 GROUP BY r.product_id, r.offer_id
                """, [account]
            ).reduce(into: [String: Int]()) { given, row in
                let (product, offer): (String, String) = (try row.get("product_id"), try row.get("offer_id"))
                given["\(product) \(offer)"] = try row.get("n")
            }
        }
        #expect(given == expected.given, "\(story)")
        #expect(given.filter { !$0.key.hasSuffix(" ") }.allSatisfy { $0.value == 1 }, "\(story)")
    }

    private static let isOpen = "status IN ('reserved', 'pending')"
}

/// Prices.
extension OfferedSubscriber {
    private mutating func set(_ change: ExpectedCatalogue.Change, isScheduled: Bool) async throws {
        let store = anna.store
        let starts = isScheduled ? store.context.clock.now() + .seconds(60) : nil
        try await store.schedule(
            ProductIdentifier(change.product), Money(milliunits: change.price, currency: "").decimal,
            in: change.country, starts: starts, change.subscribers, change.consent)
        if isScheduled {
            try await store.applyPrices()
            try await checkPrice(of: change.product)
            store.clock.advance(by: .seconds(60))
            try await take(SubscriberAction.advance(seconds: 1))
        }
        var occasion = try await occasion()
        occasion.notices = expected.change(change, in: occasion.country)
        try await store.applyPrices()
        try await follow(occasion)
        try await checkPrice(of: change.product)
    }

    private func checkPrice(of product: String) async throws {
        for country in ["USA", "DEU"] {
            let price = try await anna.store.price(of: ProductIdentifier(product), in: country)
            #expect(price == expected.catalogue.price(of: product, in: country), "\(product) in \(country)")
        }
    }

    private mutating func answer(_ agrees: Bool, _ place: Int) async throws {
        var occasion = try await occasion()
        occasion.mayAgree = agrees
        let all = try await anna.subscriptions().map(\.subscription.original)
        guard !all.isEmpty else { return }
        let (context, account) = (anna.store.context, anna.account.identifier)
        try await allowingRefusal {
            if agrees {
                try await AnsweringPriceIncrease(context).agree(all[place % all.count], account: account)
            } else {
                try await AnsweringPriceIncrease(context).decline(all[place % all.count], account: account)
            }
        }
        try await follow(occasion)
    }
}
