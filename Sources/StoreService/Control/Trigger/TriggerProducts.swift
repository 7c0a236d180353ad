// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The products of an app that take the parts of a history.
struct TriggerProducts: Sendable {
    private var parts: [TriggerRecipe.Part: Product] = [:]

    /// Chooses the products for the parts of a history, among those that are
    /// sold in a storefront. Products with an offer are preferred where the
    /// history uses one.
    init(_ products: [Product], sold storefront: Storefront, for steps: [TriggerRecipe.Step]) {
        let sold = products.filter { $0.isSold(in: storefront) }.sorted { $0.productIdentifier < $1.productIdentifier }
        parts[.oneTime] = sold.first { $0.kind == .consumable } ?? sold.first { $0.plan == nil }
        parts[.shared] = sold.first { $0.isFamilyShareable && $0.plan != nil } ?? sold.first(where: \.isFamilyShareable)
        let offered = steps.compactMap { if case .buyWithOffer(let part) = $0 { part } else { nil } }
        let paid = sold.filter { $0.price(in: storefront).milliunits > 0 && $0.plan != nil }
        let pairs = paid.flatMap { lower in
            paid.filter { $0.isAbove(lower) }.map { (lower: lower, higher: $0) }
        }
        let pair = pairs.first { pair in
            offered.allSatisfy { ($0 == .higher ? pair.higher : pair.lower).promotionalOffer != nil }
        }
        parts[.higher] = pair?.higher
        parts[.subscription] = pair?.lower ?? paid.first { offered.isEmpty || $0.promotionalOffer != nil }
        parts[.consumed] =
            sold.first { $0.kind == .consumable && $0.price(in: storefront).milliunits > 0 } ?? parts[.subscription]
    }

    /// The product of a part.
    ///
    /// - Throws: `DomainError` `invalid` when the app has none.
    func product(_ part: TriggerRecipe.Part) throws -> Product {
        if let product = parts[part] { return product }
        let missing =
            switch part {
            case .subscription: "subscription with a price, and with a promotional offer for a type with an offer"
            case .higher: "group with subscriptions of two levels, and promotional offers for a type with an offer"
            case .consumed: "consumable or subscription with a price"
            case .oneTime: "product that isn't an auto-renewable subscription"
            case .shared: "product that is shared with families"
            }
        throw DomainError(.invalid, "The app sells no \(missing): import a catalogue with one.")
    }
}

extension Product {
    /// Whether the plan is of a higher level of the same group. Level 1 is the
    /// highest.
    fileprivate func isAbove(_ other: Product) -> Bool {
        guard let plan, let otherPlan = other.plan else { return false }
        return plan.group == otherPlan.group && plan.level < otherPlan.level
    }

    /// The first promotional offer.
    var promotionalOffer: Offer? { offers.first { $0.kind == .promotional } }
}
