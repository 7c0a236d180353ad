// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore

/// The time after which a change in Connect reaches the products that are
/// sold.
package struct Propagation: Hashable, Sendable {
    package var production: Duration
    package var sandbox: Duration

    /// The longest delay: a day.
    package static let longestSeconds = 86_400

    package init(production: Duration = .zero, sandbox: Duration = .zero) {
        self.production = production
        self.sandbox = sandbox
    }

    /// The delays of the environments that have one, the shorter one first.
    var delays: [Duration] { [production, sandbox].filter { $0 > .zero }.sorted() }

    /// The delay of an environment.
    package func delay(in environment: StoreEnvironment) -> Duration {
        environment == .production ? production : sandbox
    }
}

/// A product as it was before a seller's change, in the form in which the
/// database has it: a JSON object whose keys never change.
///
/// A store with a propagation delay sells it until the change has reached the
/// store.
struct FormerProduct: Codable, Sendable {
    struct Text: Codable, Sendable {
        var locale: String
        var title: String
        var description: String
    }

    struct Plan: Codable, Sendable {
        var group: String
        var level: Int
        var period: String
    }

    var kind: String
    var referenceName: String
    var isFamilyShareable: Bool
    var isForSale: Bool
    var isApproved: Bool
    var milliunits: Int64
    var pricing: Int?
    var prices: [String: Int64]
    var texts: [Text]
    var exclusions: [String]
    var plan: Plan?
    var contactBonus: String?
    /// The offers as the table of products has them.
    var offers: String

    init(_ product: Product, isApproved: Bool) throws {
        kind = product.kind.rawValue
        referenceName = product.referenceName
        isFamilyShareable = product.isFamilyShareable
        isForSale = product.isForSale
        self.isApproved = isApproved
        milliunits = product.milliunits
        pricing = product.pricing.number
        prices = product.prices
        texts = product.localizations.map {
            Text(locale: $0.locale, title: $0.title, description: $0.description)
        }
        exclusions = product.exclusions.sorted()
        plan = product.plan.map { Plan(group: $0.group.rawValue, level: $0.level, period: $0.period.iso8601) }
        contactBonus = product.contactBonus?.iso8601
        offers = try product.offers.stored ?? ""
    }

    /// The product, with the identifiers, the contract and the hold of
    /// the present one.
    func product(of present: Product, in environment: StoreEnvironment) throws -> Product {
        var product = Product(
            bundleIdentifier: present.bundleIdentifier, productIdentifier: present.productIdentifier,
            kind: Product.Kind(rawValue: kind), referenceName: referenceName, isFamilyShareable: isFamilyShareable,
            isForSale: isForSale, milliunits: milliunits, prices: prices,
            localizations: texts.map {
                Product.Localization(locale: $0.locale, title: $0.title, description: $0.description)
            })
        product.isWithheld = environment == .production && !isApproved
        product.lacksContract = present.lacksContract
        product.isHeld = present.isHeld
        product.pricing = Pricing(number: pricing ?? 0)
        product.exclusions = Set(exclusions)
        product.offers = try [Product.Offer](stored: offers)
        product.plan = plan.flatMap { plan in
            SubscriptionPeriod(iso8601: plan.period).map {
                Product.Plan(group: SubscriptionGroupIdentifier(plan.group), level: plan.level, period: $0)
            }
        }
        product.contactBonus = contactBonus.flatMap { SubscriptionPeriod(iso8601: $0) }
        return product
    }
}
