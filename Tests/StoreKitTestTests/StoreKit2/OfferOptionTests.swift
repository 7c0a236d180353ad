// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The offers of a subscription, and the purchases with them.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct OfferOptionTests {
    private let shop: OfferShop

    init() throws {
        shop = try OfferShop()
    }

    @Test("A subscription has its offers by kind, and the title of its group")
    func offers() async throws {
        shop.session.locale = Locale(identifier: "de_DE")
        let info = try #require(try await shop.product().subscription)
        #expect(info.introductoryOffer?.paymentMode == .freeTrial && info.introductoryOffer?.id == nil)
        #expect(info.promotionalOffers.map(\.id) == ["spring"])
        #expect(info.winBackOffers.map(\.id) == ["return"] && info.winBackOffers.map(\.type) == [.winBack])
        #expect(info.winBackOffers.first?.period == .everyThreeMonths && info.winBackOffers.first?.price == 0)
        #expect(info.groupDisplayName == "Körbe")
        let json = try JSONSerialization.jsonObject(with: try await shop.product().jsonRepresentation)
        let attributes = try #require((json as? [String: Any])?["attributes"] as? [String: Any])
        #expect(attributes["subscriptionFamilyName"] as? String == "Körbe")
    }

    @Test("A former subscriber comes back with the win-back offer that the renewal names")
    func winBack() async throws {
        try await shop.lapse()
        #expect(try await renewalInfo().eligibleWinBackOfferIDs == ["return"])
        let offer = try #require(try await shop.product().subscription?.winBackOffers.first)
        let transaction = try await shop.buy([.winBackOffer(offer)])
        #expect(transaction.offer?.type == .winBack && transaction.offer?.id == "return")
        #expect(transaction.price == 0 && transaction.offer?.paymentMode == .freeTrial)
        #expect(try await renewalInfo().eligibleWinBackOfferIDs == [])
    }

    @Test("A customer who isn't a former subscriber can't use a win-back offer")
    func ineligible() async throws {
        let product = try await shop.product()
        let offer = try #require(product.subscription?.winBackOffers.first)
        await #expect(throws: Product.PurchaseError.ineligibleForOffer) {
            try await product.purchase(options: [.winBackOffer(offer)])
        }
        #expect(SKPaymentQueue.default().transactions.isEmpty)
    }

    @Test("The seller gives a customer the introductory offer again, or refuses it")
    func introductoryEligibility() async throws {
        let first = try await shop.buy()
        #expect(first.offer?.type == .introductory)
        await first.finish()
        try shop.session.expireSubscription(productIdentifier: "small")
        let isEligible = try await shop.product().subscription?.isEligibleForIntroOffer
        #expect(isEligible == false)

        let allowed = try shop.token([
            "aud": "introductory-offer-eligibility", "allowIntroductoryOffer": true, "transactionId": "\(first.id)",
        ])
        let second = try await shop.buy([.introductoryOfferEligibility(compactJWS: allowed)])
        #expect(second.offer?.type == .introductory && second.price == 0)

        shop.session.clearTransactions()
        let refused = try shop.token(["aud": "introductory-offer-eligibility", "allowIntroductoryOffer": false])
        let third = try await shop.buy([.introductoryOfferEligibility(compactJWS: refused)])
        #expect(third.offer == nil && third.price == Decimal(string: "4.99"))

        // Not while the customer is subscribed without the offer, and again afterwards.
        let whileSubscribed = try await shop.product().subscription?.isEligibleForIntroOffer
        #expect(whileSubscribed == false)
        try shop.session.expireSubscription(productIdentifier: "small")
        let afterwards = try await shop.product().subscription?.isEligibleForIntroOffer
        #expect(afterwards == true)
    }

    @Test("A decision about the introduction that isn't signed for it is refused")
    func wrongDecision() async throws {
        let product = try await shop.product()
        let promotional = try shop.token(["aud": "promotional-offer", "offerIdentifier": "spring"])
        let withoutDecision = try shop.token(["aud": "introductory-offer-eligibility"])
        for token in [promotional, withoutDecision, "e30.e30.AA"] {
            await #expect(throws: StoreKitError.self) {
                try await product.purchase(options: [.introductoryOfferEligibility(compactJWS: token)])
            }
        }
        #expect(shop.session.allTransactions().isEmpty)
    }

    @Test("A promotional offer is bought with the seller's JWS, which serves once")
    func promotional() async throws {
        try await shop.lapse()
        let token = try shop.token(["aud": "promotional-offer", "offerIdentifier": "spring"])
        let option = Product.PurchaseOption.promotionalOffer("spring", compactJWS: token)
        let transaction = try await shop.buy(Set(option))
        #expect(transaction.offer?.type == .promotional && transaction.offer?.id == "spring")
        #expect(transaction.price == Decimal(string: "1.99") && transaction.offer?.paymentMode == .payAsYouGo)
        // Two months one by one: the period is the offer's whole length.
        #expect(transaction.offerPeriodStringRepresentation == "P2M")
        #expect(transaction.offer?.period?.value == 2 && transaction.offer?.period?.unit == .month)
        await transaction.finish()
        try shop.session.expireSubscription(productIdentifier: "small")
        let product = try await shop.product()
        await #expect(throws: StoreKitError.self) { try await product.purchase(options: Set(option)) }
    }

    @Test("A payment with two offers is refused")
    func twoOffers() async throws {
        try await shop.lapse()
        let product = try await shop.product()
        let offer = try #require(product.subscription?.winBackOffers.first)
        let token = try shop.token(["aud": "promotional-offer", "offerIdentifier": "spring"])
        let options = Set(Product.PurchaseOption.promotionalOffer("spring", compactJWS: token) + [.winBackOffer(offer)])
        await #expect(throws: Product.PurchaseError.productUnavailable) {
            try await product.purchase(options: options)
        }
        #expect(shop.session.allTransactions().count == 1)
    }
}
