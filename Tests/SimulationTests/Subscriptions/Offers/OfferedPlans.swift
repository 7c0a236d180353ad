// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreDomain

/// The offers, codes and later prices of the worlds in which a seller has
/// them.
enum OfferedPlans {
    /// An offer of a product, as the checks expect it.
    struct Offer: Hashable {
        var product: String
        /// The words of the database.
        var kind: String
        var name = ""
        var mode: String
        var period: String
        var periods: Int64 = 1
        /// In thousandths of each currency.
        var price: Int64 = 0
        var isForFormerCustomers = false
    }

    /// A code of an app.
    struct Code: Hashable, Sendable {
        var text: String
        var bundle: String
        var product: String
        var offer: String
        var limit: Int
    }

    /// A price that follows the one before. Prices only rise, so that a price
    /// that a subscriber has confirmed is never above that of the catalogue.
    struct Rise: Hashable, Sendable {
        var price: Int64
        var subscribers: PriceChange.Subscribers = .change
        var consent: PriceChange.Consent
    }

    static let offers = [
        Offer(product: "monthly", kind: "introductory", mode: "free", period: "P1W"),
        Offer(
            product: "monthly", kind: "promotional", name: "spring", mode: "payAsYouGo", period: "P1M", periods: 2,
            price: 1990),
        Offer(product: "monthly", kind: "code", name: "letter", mode: "free", period: "P1M"),
        Offer(product: "large", kind: "introductory", mode: "payAsYouGo", period: "P1M", periods: 3, price: 990),
        Offer(product: "large", kind: "code", name: "any", mode: "payUpFront", period: "P1M", price: 990),
        Offer(product: "weekly", kind: "promotional", name: "gift", mode: "free", period: "P2W"),
        Offer(
            product: "weekly", kind: "code", name: "stay", mode: "payAsYouGo", period: "P1W", periods: 2, price: 990),
        Offer(product: "paper", kind: "introductory", mode: "free", period: "P1W"),
        Offer(product: "paper", kind: "promotional", name: "spring", mode: "payUpFront", period: "P3M", price: 4990),
    ]

    /// The promotional offers, which the seller's server signs.
    static let promotions = offers.filter { $0.kind == "promotional" }

    /// The prices with which each world begins.
    static let prices: [String: Int64] = [
        "large": 9990, "monthly": 4990, "weekly": 1490, "paper": 2990, "free": 0, "yearly": 29_990,
    ]

    /// The later prices of products. No product has the same price twice.
    static let rises: [String: [Rise]] = [
        "weekly": [
            Rise(price: 2490, consent: .told), Rise(price: 6990, consent: .needed),
            Rise(price: 9990, subscribers: .keep, consent: .told),
        ],
        "monthly": [
            Rise(price: 9990, consent: .needed), Rise(price: 12_990, subscribers: .keep, consent: .told),
            Rise(price: 15_990, consent: .told),
        ],
        "paper": [Rise(price: 7990, consent: .needed), Rise(price: 9990, consent: .told)],
    ]

    /// Whether the catalogue has a price of a product at any time.
    static func has(_ price: Int64, of product: String) -> Bool {
        prices[product] == price || rises[product]?.contains { $0.price == price } == true
    }
}

/// The seller's server.
extension OfferedPlans {
    private static let identifier = "SELLER2026"

    /// The key of all worlds: a key that each run draws would change the runs.
    private static let key: P256.Signing.PrivateKey = {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: Data(repeating: 7, count: 32)) else {
            preconditionFailure("these bytes are a key")
        }
        return key
    }()

    static func publicKey(created: WallTime) -> InAppPurchaseKey {
        InAppPurchaseKey(
            identifier: identifier, name: "test", publicKey: key.publicKey.x963Representation, created: created)
    }

    /// Signs a promotional offer for one payment. Each number is used once.
    static func sign(_ offer: Offer, of bundle: String, number: Int, now: Int64) throws -> DiscountInfo {
        let digits = String(number, radix: 16)
        let signed = OfferSignature(
            bundleIdentifier: bundle, keyIdentifier: identifier, productIdentifier: offer.product,
            offerIdentifier: offer.name, username: "",
            nonce: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits,
            timestamp: now)
        var signature = Data()
        // Signatures are random. Those of other lengths in base64 would change the run.
        while !(70...72).contains(signature.count) {
            signature = try key.signature(for: signed.bytes).derRepresentation
        }
        return DiscountInfo(
            identifier: offer.name, keyIdentifier: identifier, nonce: signed.nonce,
            signature: signature.base64EncodedString(), timestamp: now)
    }
}
