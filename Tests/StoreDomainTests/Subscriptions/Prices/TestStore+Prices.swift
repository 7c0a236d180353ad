// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport
import Testing

@testable import StoreDomain

extension TestStore {
    private static let app = BundleIdentifier(bundleIdentifier)

    /// Schedules a price of a product; it starts now unless a start is given.
    @discardableResult
    func schedule(
        _ product: ProductIdentifier = "small", _ price: String, in country: String? = nil, starts: WallTime? = nil,
        _ subscribers: PriceChange.Subscribers = .change, _ consent: PriceChange.Consent = .rule
    ) async throws -> PriceChange {
        try await SchedulingPriceChange(context)(
            SchedulingPriceChange.Order(
                product, of: Self.app, in: country, price: price, starts: starts, subscribers: subscribers,
                consent: consent))
    }

    /// Applies the prices that have begun, and tells all subscribers.
    func applyPrices(pageSize: Int = 200, pages: Int = 10) async throws {
        let applying = ApplyingPriceChanges(context, pageSize: pageSize, pages: pages)
        while try await applying(report: { Issue.record($0.error) }) { try Task.checkCancellation() }
    }

    /// Changes a price now, and tells all subscribers.
    @discardableResult
    func raise(
        _ product: ProductIdentifier = "small", to price: String, in country: String? = nil,
        _ subscribers: PriceChange.Subscribers = .change, _ consent: PriceChange.Consent = .rule
    ) async throws -> PriceChange {
        let change = try await schedule(product, price, in: country, subscribers, consent)
        try await applyPrices()
        return change
    }

    /// The price of a product in a storefront, in thousandths.
    func price(of product: ProductIdentifier, in country: String = "USA") async throws -> Int64 {
        let storefront = try #require(Storefront.named(country))
        return try await context.read { db in
            try Catalogue.known(product, of: Self.app, db).price(in: storefront).milliunits
        }
    }

    /// The changes of a product, those that start last first.
    func changes(of product: ProductIdentifier = "small") async throws -> [PriceChange] {
        try await SchedulingPriceChange(context).changes(of: product, in: Self.app)
    }
}

extension Subscriber {
    /// The only increase that waits; `nil` when there is none.
    func increase() async throws -> PendingPriceIncrease? {
        let all = try await AnsweringPriceIncrease(store.context).pending(of: account.identifier)
        #expect(all.count < 2)
        return all.first
    }

    /// Agrees to the increase of the only subscription, or refuses it.
    func answerIncrease(_ agrees: Bool) async throws {
        let original = try await subscription().subscription.original
        let answering = AnsweringPriceIncrease(store.context)
        if agrees {
            try await answering.agree(original, account: account.identifier)
        } else {
            try await answering.decline(original, account: account.identifier)
        }
    }

    /// The number of times that the subscriber was informed of an increase.
    func timesTold() async throws -> Int {
        let original = try await subscription().subscription.original
        return try await store.count(
            "subscription_event",
            where: "kind = 'price increase announced' AND original_transaction_id = '\(original)'")
    }
}
