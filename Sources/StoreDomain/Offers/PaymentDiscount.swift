// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// An offer that a payment names: a promotional one, as the seller's server has
/// signed it (`SKPaymentDiscount`), or a win-back offer; or the seller's
/// decision whether the customer gets the introductory offer.
package struct PaymentDiscount: Hashable, Sendable, Codable {
    /// The identifier of the offer.
    package var identifier: String
    /// The identifier of the key that made the signature.
    package var keyIdentifier: String
    /// A UUID, which the seller's server uses once.
    package var nonce: String
    /// Base64 of an ECDSA signature in DER.
    package var signature: String
    /// When it was signed, in milliseconds since 1970.
    package var timestamp: Int64
    /// The offer as a JWS (StoreKit 2), which has all other values in itself:
    /// they are empty or 0 then. `nil` for an offer of StoreKit 1.
    package var token: String?
    /// ``Product/Offer/Kind/promotional``, ``Product/Offer/Kind/winBack``, or
    /// ``Product/Offer/Kind/introductory`` for the seller's decision. Nothing is
    /// signed for a win-back offer: its other values are empty or 0.
    package private(set) var kind = Product.Offer.Kind.promotional

    /// Set for a promotional offer of a test, which no seller signs; `nil` for
    /// all others.
    package private(set) var isUnsigned: Bool?

    /// A promotional offer that the sandbox's remote control grants.
    package init(unsigned identifier: String) {
        self.init(identifier: identifier, keyIdentifier: "", nonce: "", signature: "", timestamp: 0)
        isUnsigned = true
    }

    /// A win-back offer.
    package init(winBack identifier: String) {
        self.init(identifier: identifier, keyIdentifier: "", nonce: "", signature: "", timestamp: 0)
        kind = .winBack
    }

    /// The seller's decision whether the customer gets the introductory offer,
    /// as a JWS.
    package init(introductory token: String) {
        self.init(identifier: "", keyIdentifier: "", nonce: "", signature: "", timestamp: 0, token: token)
        kind = .introductory
    }

    package init(
        identifier: String, keyIdentifier: String, nonce: String, signature: String, timestamp: Int64,
        token: String? = nil
    ) {
        self.identifier = identifier
        self.keyIdentifier = keyIdentifier
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
        self.token = token
    }

    /// Reads the JSON of a row. Rows of the time before win-back offers have
    /// no kind: their offers are promotional.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        identifier = try values.decode(String.self, forKey: .identifier)
        keyIdentifier = try values.decode(String.self, forKey: .keyIdentifier)
        nonce = try values.decode(String.self, forKey: .nonce)
        signature = try values.decode(String.self, forKey: .signature)
        timestamp = try values.decode(Int64.self, forKey: .timestamp)
        token = try values.decodeIfPresent(String.self, forKey: .token)
        kind = try values.decodeIfPresent(Product.Offer.Kind.self, forKey: .kind) ?? .promotional
        isUnsigned = try values.decodeIfPresent(Bool.self, forKey: .isUnsigned)
    }

    /// The failure of a payment with this offer, as far as the product and its
    /// offers say it; `nil` when they allow it.
    func refusal(product: Product) -> PurchaseFailure? {
        // A product without an introductory offer is sold at its price.
        guard kind != .introductory else { return nil }
        let hasSignature = !(keyIdentifier.isEmpty || nonce.isEmpty || signature.isEmpty)
        let isSigned = kind == .winBack || token?.isEmpty == false || hasSignature || isUnsigned == true
        guard !identifier.isEmpty, isSigned else {
            return PurchaseFailure(
                .missingOfferParams,
                """
                An offer needs its identifier, and a JWS or the identifier of its key, a nonce, and a signature.
                """)
        }
        guard product.offer(of: self) != nil else {
            return PurchaseFailure(
                .invalidOfferIdentifier,
                "\"\(product.productIdentifier)\" has no \(kind.rawValue) offer \"\(identifier)\".")
        }
        return nil
    }

    /// The failure of a payment with this offer in a storefront. An offer that
    /// is paid period by period must cost less than the subscription.
    func refusal(product: Product, in storefront: Storefront) -> PurchaseFailure? {
        guard kind != .introductory, let offer = product.offer(of: self), offer.mode == .payAsYouGo else { return nil }
        let (price, regular) = (product.price(of: offer, in: storefront), product.price(in: storefront))
        guard price.milliunits >= regular.milliunits else { return nil }
        return PurchaseFailure(
            .invalidOfferPrice,
            """
            The offer "\(identifier)" costs \(price.decimal) \(price.currency), which isn't less than the price of \
            "\(product.productIdentifier)", \(regular.decimal) \(regular.currency).
            """)
    }

    /// The failure of a payment by an account that has never subscribed to
    /// anything of the app.
    var ineligible: PurchaseFailure {
        PurchaseFailure(
            .ineligibleForOffer,
            """
            The offer "\(identifier)" is for customers who have, or have had, a subscription of this app. This account \
            has had none.
            """)
    }

    /// The failure of a payment by another customer than the one whom the
    /// JWS names.
    func isForAnotherCustomer(than transaction: TransactionIdentifier) -> PurchaseFailure {
        PurchaseFailure(
            .invalidSignature,
            """
            The signature of the offer was made for the customer of the transaction \(transaction), which isn't one of \
            this account.
            """)
    }

    /// Whether the seller gives the customer the introductory offer; `nil` when
    /// the store decides.
    var allowsIntroductoryOffer: Bool? {
        guard kind == .introductory, let token = token.flatMap({ try? OfferToken($0) }) else { return nil }
        return token.claims.allowIntroductoryOffer
    }

    /// The transaction by which a JWS names its customer; `nil` when it names
    /// none.
    var transactionOfCustomer: TransactionIdentifier? {
        guard let token = token.flatMap({ try? OfferToken($0) }) else { return nil }
        return token.claims.transactionId.map { TransactionIdentifier($0) }
    }
}

extension Product {
    /// The offer that a payment names; `nil` when the product has none of this
    /// name.
    func offer(of discount: PaymentDiscount) -> Offer? {
        offers.first { $0.kind == discount.kind && $0.identifier == discount.identifier }
    }
}
