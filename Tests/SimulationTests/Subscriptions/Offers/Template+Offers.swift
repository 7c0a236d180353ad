// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreTestSupport

extension Template {
    /// ``catalogue`` with offers.
    static let offeredCatalogue = catalogue(with: OfferedPlans.offers)

    static func catalogue(with offers: [OfferedPlans.Offer]) -> String {
        OfferedPlans.prices.keys.reduce(catalogue) { file, product in
            let plain = "\"productID\" : \"\(product)\", \"referenceName\""
            let offers = offers.filter { $0.product == product }
            let introductory = offers.first { $0.kind == "introductory" }.map { "\"introductoryOffer\" : \(text($0))," }
            let lists = [("adHocOffers", "promotional"), ("codeOffers", "code")].map { key, kind in
                "\"\(key)\" : [ \(offers.filter { $0.kind == kind }.map(text).joined(separator: ", ")) ],"
            }
            let members = ([introductory ?? ""] + lists).joined(separator: " ")
            return file.replacing(plain, with: "\(members) \(plain)")
        }
    }

    private static func text(_ offer: OfferedPlans.Offer) -> String {
        let name = offer.name.isEmpty ? "" : "\"offerID\" : \"\(offer.name)\","
        let price = Money(milliunits: offer.price, currency: "USD").decimal
        return """
            { "internalID" : "offer", \(name) "referenceName" : "\(offer.name)",
              \(offer.mode == "free" ? "" : "\"displayPrice\" : \"\(price)\",")
              \(offer.isForFormerCustomers ? "\"eligibility\" : [ \"expired\" ]," : "")
              "paymentMode" : "\(offer.mode)", "subscriptionPeriod" : "\(offer.period)",
              "numberOfPeriods" : \(offer.periods) }
            """
    }

    /// Registers the seller's key, and makes the codes of each app: two words,
    /// and some codes that are redeemed once.
    static func prepareOffers(in store: TestStore) async throws -> [OfferedPlans.Code] {
        try await ManagingKeys(store.context).register(
            OfferedPlans.publicKey(created: store.context.clock.now()))
        var codes: [OfferedPlans.Code] = []
        for (number, bundle) in bundles.enumerated() {
            for (word, product, offer, limit) in [("WELCOME", "monthly", "letter", 3), ("STAY", "weekly", "stay", 4)] {
                let order = ManagingCodes.Order(
                    batch: "\(word)-\(number)", bundleIdentifier: BundleIdentifier(bundle),
                    productIdentifier: ProductIdentifier(product), kind: .custom, offer: offer, name: word,
                    usesLimit: limit, code: word)
                codes += try await make(order, store)
            }
            let order = ManagingCodes.Order(
                batch: "once-\(number)", bundleIdentifier: BundleIdentifier(bundle), productIdentifier: "large",
                kind: .oneTime, offer: "any", name: "once", size: 5, seed: Data(repeating: UInt8(number + 1), count: 32)
            )
            codes += try await make(order, store)
        }
        return codes
    }

    static func make(_ order: ManagingCodes.Order, _ store: TestStore) async throws -> [OfferedPlans.Code] {
        try await ManagingCodes(store.context).create(order).codes.map {
            OfferedPlans.Code(
                text: $0, bundle: order.bundleIdentifier.rawValue, product: order.productIdentifier.rawValue,
                offer: order.offer ?? "", limit: order.usesLimit)
        }
    }
}

extension Template {
    /// The template of a world. A third of the worlds of subscriptions have
    /// offers. They are chosen by the seed's number, without drawing: the
    /// other worlds keep the runs that they had before.
    static func of(_ script: Script, seed: UInt64, _ mistake: Mistake?) async throws -> Template {
        if case .families = script { return try await related.value }
        if case .agreements = script { return try await agreeing.value }
        guard case .subscriptions = script, seed % 3 == 2 || mistake?.concernsOffers == true else {
            return try await shared.value
        }
        return try await offered.value
    }
}
