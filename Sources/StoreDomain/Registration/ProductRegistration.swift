// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// A product as its team has registered it: the product that the store sells,
/// and the values that only Connect has.
package struct ProductRegistration: Hashable, Sendable {
    package var product: Product
    /// Whether the seller has chosen a price. A product without one isn't
    /// sold.
    package var hasPrice: Bool
    /// Whether the seller wants it to be sold.
    package var isCleared: Bool
    package var review: ProductReview
    /// The seller's text for the reviewer.
    package var reviewNote = ""
    /// Whether it has a screenshot for the reviewer.
    package var hasScreenshot = false
    /// The number of the product's changes. A form has the one that its page
    /// showed.
    package var version: Int64

    package static let longestReferenceName = 64
    package static let longestIdentifier = 100
    package static let longestTitle = 35
    package static let longestDescription = 55
    /// The lowest service level of a subscription.
    package static let lowestLevel = 100
    /// The most products of an app.
    package static let limit = 10_000

    package static let kinds: [Product.Kind] = [.consumable, .nonConsumable, .nonRenewing, .autoRenewable]
    /// The periods of subscriptions, in ISO 8601.
    package static let periods = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

    /// A value without which a product isn't sold.
    package enum Missing: String, CaseIterable, Hashable, Sendable {
        case price
        /// A display name and a description in one language.
        case texts
        /// A screenshot, which only the review needs.
        case screenshot
    }

    /// The values that the product lacks.
    package var missing: [Missing] {
        (hasPrice ? [] : [.price])
            + (product.localizations.contains { !$0.title.isEmpty && !$0.description.isEmpty } ? [] : [.texts])
    }

    /// The values that the product lacks before it can be submitted to a
    /// review by the operator.
    package var missingForReview: [Missing] {
        let needsReview = review.state == .prepared || review.state == .rejected
        return missing + (needsReview && !hasScreenshot ? [.screenshot] : [])
    }

    /// The state of a product on pages and in lists.
    package enum State: String, CaseIterable, Hashable, Sendable {
        case missingMetadata = "missing-metadata"
        case readyToSubmit = "ready-to-submit"
        case waitingForReview = "waiting-for-review"
        case inReview = "in-review"
        case rejected
        /// It is sold.
        case approved
        /// The seller doesn't sell it.
        case removedFromSale = "removed-from-sale"
    }

    /// The state of the product. A sandbox has no review.
    package func state(in environment: StoreEnvironment) -> State {
        if !missing.isEmpty { return .missingMetadata }
        if environment == .production {
            switch review.state {
            case .prepared: return .readyToSubmit
            case .waiting: return .waitingForReview
            case .inReview: return .inReview
            case .rejected: return .rejected
            case .approved: break
            }
        }
        return isCleared ? .approved : .removedFromSale
    }

    /// The product with the decision whether it is sold: the seller has
    /// cleared it, and it lacks nothing.
    var decided: Product {
        var decided = product
        decided.isForSale = isCleared && missing.isEmpty
        return decided
    }

    /// The values by their names, for the log of changes.
    var facts: [String: String] {
        var facts = [
            "reference name": product.referenceName, "cleared for sale": isCleared ? "yes" : "no",
            "price": hasPrice ? product.milliunits.decimal : "", "review note": reviewNote,
            "family sharing": product.isFamilyShareable ? "yes" : "no",
            "not sold in": product.exclusions.sorted().joined(separator: " "),
            "prices of the currencies": product.pricing.name,
            "level": product.plan.map { String($0.level) } ?? "",
            "bonus for a contact": product.contactBonus?.iso8601 ?? "",
        ]
        for (country, price) in product.prices { facts["price in \(country)"] = price.decimal(in: country) }
        for text in product.localizations {
            facts["display name \(text.locale)"] = text.title
            facts["description \(text.locale)"] = text.description
        }
        return facts
    }

    /// The values that another version changes, before and after it.
    func changes(to other: ProductRegistration) -> (before: String, after: String) {
        let (old, new) = (facts, other.facts)
        let names = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
        func text(_ facts: [String: String]) -> String {
            names.compactMap { name in facts[name].map { "\(name): \($0)" } }.joined(separator: "; ")
        }
        return (text(old), text(new))
    }

}
