// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

extension ConnectAnswers.App {
    init(_ app: AppRegistration) {
        self.init(
            bundle: app.bundleIdentifier.rawValue, name: app.name, sku: app.sku, locale: app.primaryLocale,
            appleId: app.appleIdentifier, state: app.state.rawValue, version: app.version)
    }
}

extension ConnectAnswers.Tier {
    init(_ tier: PriceTier) {
        self.init(
            tier: tier.number, name: tier.name, price: tier.milliunits.decimal,
            prices: Dictionary(
                uniqueKeysWithValues: tier.prices.map { ($0, Money(milliunits: $1, currency: $0).decimal) }))
    }
}

extension ConnectAnswers.ListedProduct {
    init(_ product: StoreDomain.ListedProduct) {
        self.init(
            product: product.identifier.rawValue, kind: product.kind.rawValue, reference: product.referenceName,
            isForSale: product.isForSale)
    }
}

extension ConnectAnswers.Review {
    init(_ review: ProductReview) {
        self.init(
            state: review.state.rawValue, reason: review.reason,
            submitted: review.submitted?.iso8601)
    }
}

extension ConnectAnswers.Product {
    init(_ found: ProductRegistration, in service: StoreService) {
        let product = found.product
        let missing = service.reviewsProducts ? found.missingForReview : found.missing
        let texts = product.localizations.map { text in
            (text.locale, ConnectAnswers.Text(title: text.title, description: text.description))
        }
        self.init(
            bundle: product.bundleIdentifier.rawValue, product: product.productIdentifier.rawValue,
            kind: product.kind.rawValue, reference: product.referenceName,
            state: found.state(in: service.environment).rawValue, missing: missing.map(\.rawValue),
            tier: found.hasPrice ? PriceTier.of(product)?.number : nil,
            price: found.hasPrice ? product.milliunits.decimal : nil,
            prices: found.otherPriceTexts, exclusions: product.exclusions.sorted(), cleared: found.isCleared,
            family: product.isFamilyShareable, texts: Dictionary(texts) { first, _ in first }, note: found.reviewNote,
            review: ConnectAnswers.Review(found.review),
            subscription: product.plan.map { plan in
                ConnectAnswers.Subscription(
                    group: plan.group.rawValue, level: plan.level, period: plan.period.iso8601,
                    contactBonus: product.contactBonus?.iso8601)
            }, version: found.version)
    }
}

extension ProductRegistration {
    /// The prices of single countries.
    var otherPriceTexts: [String: String] { product.ownPrices.pricesByCountry }
}

extension String {
    /// The prices of the lines of a form, such as `DEU 1.19`.
    var pricesByCountry: [String: String] {
        let lines = split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return Dictionary(lines.map { ($0[0], $0[1]) }) { first, _ in first }
    }
}
