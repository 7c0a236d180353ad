// SPDX-License-Identifier: Apache-2.0

/// A price of a product that begins to apply at a moment, or has begun: the
/// changes that have begun are the history of the product's prices.
package struct PriceChange: Hashable, Sendable {
    /// The effect on the subscribers who pay less. The database stores the
    /// raw values.
    package enum Subscribers: String, CaseIterable, Sendable {
        /// They keep their price.
        case keep
        /// Each of them is informed, and pays the new price after a notice.
        case change
    }

    /// Whether subscribers have to agree to a higher price. The database
    /// stores the raw values.
    package enum Consent: String, CaseIterable, Sendable {
        /// ``PriceChange/needsConsent(from:to:of:)`` decides for each of them.
        case rule
        /// All of them have to agree.
        case needed
        /// None of them has to: they are informed only.
        case told
    }

    /// The values of the product when the change was applied to it.
    package struct Application: Hashable, Sendable {
        /// The moment at which the price was set.
        package var at: WallTime
        /// The price before, in thousandths.
        package var previous: Int64
        /// The increase of a period's price that needs no consent, in
        /// thousandths of the storefront's currency.
        var allowance: Int64
        /// Whether the product's price there has risen in the year before.
        var isRepeated: Bool
        /// The group whose subscribers are informed; `nil` for a product that
        /// isn't an auto-renewable subscription.
        var group: SubscriptionGroupIdentifier?
    }

    package var identifier: PriceChangeIdentifier
    package var bundleIdentifier: BundleIdentifier
    package var productIdentifier: ProductIdentifier
    /// The country code of the storefront; `nil` for the base price, which
    /// applies in storefronts without a price of their own.
    package var storefront: String?
    /// The new price in thousandths.
    package var milliunits: Int64
    package var starts: WallTime
    package var subscribers: Subscribers
    package var consent: Consent
    package var created: WallTime
    /// `nil` as long as the change is scheduled.
    package var application: Application?
    /// The last subscription of the pages whose subscribers were informed.
    var toldAfter: OriginalTransactionIdentifier?
    /// The moment at which the last subscriber was informed; `nil` before.
    package var finished: WallTime?

    /// Whether an increase of a subscriber's price needs consent.
    ///
    /// By Apple's rule it does when it is more than half of the price and
    /// more than 5 USD a period (50 USD of a year's), or when the price there
    /// has risen in the year before. Countries whose law asks for more aren't
    /// known: ``Consent/needed`` is for these.
    func needsConsent(from paid: Money, to price: Money, of product: Product) -> Bool {
        switch consent {
        case .needed: return true
        case .told: return false
        case .rule:
            guard let application else { return true }
            let increase = price.milliunits - paid.milliunits
            let allowance =
                storefront == nil
                ? product.pricing.price(of: application.allowance, in: price.currency).milliunits
                : application.allowance
            return application.isRepeated || (increase > allowance && increase > paid.milliunits / 2)
        }
    }

    /// Whether it sets the price of a product in a storefront.
    func sets(_ product: Product, in storefront: Storefront) -> Bool {
        guard product.productIdentifier == productIdentifier else { return false }
        if let own = self.storefront { return own == storefront.countryCode }
        return product.prices[storefront.countryCode] == nil
    }

    /// The price that it sets in a storefront.
    func price(of product: Product, in storefront: Storefront) -> Money {
        self.storefront == nil
            ? product.pricing.price(of: milliunits, in: storefront.currency)
            : Money(milliunits: milliunits, currency: storefront.currency).rounded
    }

    /// Sets the price of the product at a moment. `isRepeated` is whether the
    /// price there has risen in the year before.
    ///
    /// - Returns: The product with its new price.
    mutating func apply(to product: Product, isRepeated: Bool, at moment: WallTime) -> Product {
        var changed = product
        application = Application(
            at: moment, previous: Self.price(of: product, in: storefront),
            allowance: Self.allowance(of: product, in: storefront), isRepeated: isRepeated, group: product.plan?.group)
        if let storefront { changed.prices[storefront] = milliunits } else { changed.setBase(milliunits) }
        if !concernsSubscribers { finished = moment }
        return changed
    }

    /// Whether subscribers have to be informed of it, or that an earlier increase
    /// has ended.
    private var concernsSubscribers: Bool {
        guard let application, application.group != nil else { return false }
        return subscribers == .change || milliunits < application.previous
    }

    /// The price of a product in a storefront, or its base price.
    private static func price(of product: Product, in country: String?) -> Int64 {
        country.flatMap(Storefront.named).map { product.price(in: $0).milliunits } ?? product.milliunits
    }

    /// 5 USD, or 50 for a year. Elsewhere it is the price that corresponds to it. For a product with the same number in each
    /// currency, it is the sum that has the same proportion to it as the product's price there has to the base price: the
    /// seller's prices stand for rates of exchange.
    private static func allowance(of product: Product, in country: String?) -> Int64 {
        let isYearly = (product.plan?.period.calendarLength.months ?? 0) >= 12
        let dollars: Int64 = isYearly ? 50_000 : 5000
        guard let storefront = country.flatMap(Storefront.named) else { return dollars }
        guard product.pricing == .sameNumber else {
            return product.pricing.price(of: dollars, in: storefront.currency).milliunits
        }
        guard let own = product.prices[storefront.countryCode], own > 0, product.milliunits > 0 else { return dollars }
        let sum = Double(dollars) * Double(own) / Double(product.milliunits)
        return Int64(min(sum, 1e18))
    }
}

extension PriceChange {
    /// The change of a product's price that was set now, for which there is no
    /// schedule; `nil` when the price there is the same as before. A base price
    /// from which other prices follow in other currencies is another one.
    init?(
        _ identifier: PriceChangeIdentifier, from before: Product, to product: Product, in storefront: String?,
        at now: WallTime
    ) {
        let (old, new) = (Self.price(of: before, in: storefront), Self.price(of: product, in: storefront))
        guard old != new || storefront == nil && before.pricing != product.pricing else { return nil }
        self.init(
            identifier: identifier, bundleIdentifier: product.bundleIdentifier,
            productIdentifier: product.productIdentifier, storefront: storefront, milliunits: new,
            starts: now, subscribers: .keep, consent: .rule, created: now)
        application = Application(at: now, previous: old, allowance: 0, isRepeated: false, group: nil)
        finished = now
    }
}

/// 16 random bytes in hexadecimal.
package typealias PriceChangeIdentifier = TypedIdentifier<PriceChange>
