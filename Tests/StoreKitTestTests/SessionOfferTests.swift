// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAgent
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// Introductory and promotional offers of a session's file, signed with its
/// key.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct SessionOfferTests {
    private let folder: TemporaryFolder
    private let key = P256.Signing.PrivateKey()
    private let session: SKTestSession
    private let app: App
    private let queue = SKPaymentQueue.default()

    init() throws {
        folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path("Offers.storekit"))
        try Data(Self.text(key).utf8).write(to: url)
        session = try SKTestSession(contentsOf: url)
        session.disableDialogs = true
        app = App()
    }

    private static func text(_ key: P256.Signing.PrivateKey) -> String {
        """
        {
          "subscriptionGroups" : [
            { "id" : "BASKETS", "name" : "Baskets", "localizations" : [], "subscriptions" : [
              { "productID" : "small", "referenceName" : "small", "displayPrice" : "4.99", "internalID" : "small",
                "familyShareable" : false, "type" : "RecurringSubscription", "recurringSubscriptionPeriod" : "P1M",
                "groupNumber" : 1, "subscriptionGroupID" : "BASKETS", "localizations" : [],
                "introductoryOffer" : { "internalID" : "1", "paymentMode" : "free", "subscriptionPeriod" : "P1W" },
                "adHocOffers" : [
                  { "internalID" : "2", "offerID" : "spring", "paymentMode" : "payAsYouGo", "numberOfPeriods" : 2,
                    "subscriptionPeriod" : "P1M", "displayPrice" : "1.99", "referenceName" : "Spring" },
                  { "internalID" : "3", "offerID" : "dear", "paymentMode" : "payAsYouGo", "numberOfPeriods" : 1,
                    "subscriptionPeriod" : "P1M", "displayPrice" : "4.99", "referenceName" : "Dear" } ] },
              { "productID" : "large", "referenceName" : "large", "displayPrice" : "9.99", "internalID" : "large",
                "familyShareable" : false, "type" : "RecurringSubscription", "recurringSubscriptionPeriod" : "P1M",
                "groupNumber" : 2, "subscriptionGroupID" : "BASKETS", "localizations" : [],
                "adHocOffers" : [
                  { "internalID" : "4", "offerID" : "same", "paymentMode" : "payAsYouGo", "numberOfPeriods" : 1,
                    "subscriptionPeriod" : "P1M", "displayPrice" : "0.99", "referenceName" : "Same" },
                  { "internalID" : "5", "offerID" : "same", "paymentMode" : "payUpFront", "subscriptionPeriod" : "P1M",
                    "displayPrice" : "1.99", "referenceName" : "Same" },
                  { "internalID" : "6", "offerID" : "same", "paymentMode" : "free", "subscriptionPeriod" : "P1W",
                    "referenceName" : "Same" } ] } ] }
          ],
          "subscriptionOffersKeyPair" : {
            "id" : "5509FCF1", "privateKey" : "\(key.derRepresentation.base64EncodedString())"
          },
          "version" : { "major" : 3, "minor" : 0 }
        }
        """
    }

    /// An offer as the seller's server signs it.
    private func discount(_ offer: String = "spring", nonce: UUID = UUID()) throws -> SKPaymentDiscount {
        let timestamp = Int64(session.currentDate.timeIntervalSince1970 * 1000)
        let bundle = try AgentHost.appUnderTest().bundleIdentifier
        let values = [bundle, "5509FCF1", "small", offer, "", nonce.uuidString.lowercased(), "\(timestamp)"]
        let signature = try key.signature(for: Data(values.joined(separator: "\u{2063}").utf8))
        return SKPaymentDiscount(
            identifier: offer, keyIdentifier: "5509FCF1", nonce: nonce,
            signature: signature.derRepresentation.base64EncodedString(), timestamp: NSNumber(value: timestamp))
    }

    private func pay(_ discount: SKPaymentDiscount) async {
        let payment = SKMutablePayment()
        payment.productIdentifier = "small"
        payment.paymentDiscount = discount
        queue.add(payment)
        await mainQueueUpdates()
    }

    private func product(_ identifier: String) async throws -> SKProduct {
        let request = SKProductsRequest(productIdentifiers: [identifier])
        let receiver = OfferReceiver()
        request.delegate = receiver
        request.start()
        await mainQueueUpdates()
        return try #require(receiver.products.first)
    }

    @Test("A product has the offers of the file")
    func offers() async throws {
        let product = try await product("small")

        let trial = try #require(product.introductoryPrice)
        #expect(trial.type == .introductory && trial.identifier == nil)
        #expect(trial.paymentMode == .freeTrial && trial.price == 0 && trial.numberOfPeriods == 1)
        #expect(trial.subscriptionPeriod.unit == .week && trial.subscriptionPeriod.numberOfUnits == 1)
        #expect(product.discounts.map(\.identifier) == ["spring", "dear"])
        let spring = try #require(product.discounts.first)
        #expect(spring.type == .subscription && spring.paymentMode == .payAsYouGo)
        #expect(spring.price == NSDecimalNumber(string: "1.99") && spring.numberOfPeriods == 2)
        #expect(spring.priceLocale == product.priceLocale)
        app.quit()
    }

    @Test("Promotional offers that share an identifier are all listed, in the file's order")
    func sameIdentifiers() async throws {
        let discounts = try await product("large").discounts
        #expect(discounts.map(\.identifier) == ["same", "same", "same"])
        #expect(discounts.map(\.paymentMode) == [.payAsYouGo, .payUpFront, .freeTrial])
        #expect(discounts.map { "\($0.price)" } == ["0.99", "1.99", "0"])
        let second = try #require(try await Product.products(for: ["large"]).first)
        let offers = try #require(second.subscription?.promotionalOffers)
        #expect(offers.map(\.paymentMode) == [.payAsYouGo, .payUpFront, .freeTrial])
        app.quit()
    }

    @Test("A former subscriber pays with a signed offer, whose nonce serves once")
    func signed() async throws {
        await app.buy("small")
        try session.expireSubscription(productIdentifier: "small")
        let discount = try discount()
        await pay(discount)
        #expect(session.allTransactions().count == 2 && app.errors.isEmpty)

        try session.expireSubscription(productIdentifier: "small")
        await pay(discount)
        #expect(app.errors == [.invalidSignature])
        #expect(session.allTransactions().count == 2)
        app.quit()
    }

    @Test("A refused offer fails with its own code")
    func refused() async throws {
        await pay(try discount())
        await app.buy("small")
        await pay(try discount("none"))
        await pay(try discount("dear"))
        await pay(
            SKPaymentDiscount(identifier: "spring", keyIdentifier: "", nonce: UUID(), signature: "", timestamp: 0))
        let other = try discount("spring")
        await pay(
            SKPaymentDiscount(
                identifier: "spring", keyIdentifier: "5509FCF1", nonce: UUID(), signature: other.signature,
                timestamp: other.timestamp))
        #expect(
            app.errors == [
                .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice, .missingOfferParams,
                .invalidSignature,
            ])
        #expect(session.allTransactions().count == 1)
        app.quit()
    }
}

/// Keeps the products of a request.
private final class OfferReceiver: NSObject, SKProductsRequestDelegate {
    var products: [SKProduct] = []

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        products = response.products
    }
}
