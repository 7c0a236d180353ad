// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAgent
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// A session whose subscription `small` has an offer of each kind, and the
/// seller's key that signs them.
@MainActor
struct OfferShop {
    let session: SKTestSession
    private let folder: TemporaryFolder
    private let key = P256.Signing.PrivateKey()

    init() throws {
        folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path("Offers.storekit"))
        try Data(Self.text(key).utf8).write(to: url)
        session = try SKTestSession(contentsOf: url)
        session.disableDialogs = true
    }

    func product(_ identifier: String = "small") async throws -> Product {
        try #require(try await Product.products(for: [identifier]).first)
    }

    /// Buys `small`, and returns the verified transaction.
    func buy(_ options: Set<Product.PurchaseOption> = []) async throws -> Transaction {
        try await bought("small", options)
    }

    /// Buys `small` and lets it end.
    func lapse() async throws {
        let transaction = try await buy()
        await transaction.finish()
        try session.expireSubscription(productIdentifier: "small")
    }

    /// Signs claims as the seller's server does (ES256).
    func token(_ changes: [String: any Sendable]) throws -> String {
        var claims: [String: any Sendable] = [
            "iss": "99b16628-15e4-4668-972b-eeff55eeff55", "bid": try AgentHost.appUnderTest().bundleIdentifier,
            "iat": session.currentDate.timeIntervalSince1970.rounded(.down),
            "nonce": UUID().uuidString.lowercased(), "productId": "small",
        ]
        claims.merge(changes) { $1 }
        let header = ["alg": "ES256", "typ": "JWT", "kid": "5509FCF1"]
        let signed = try [
            JSONSerialization.data(withJSONObject: header), JSONSerialization.data(withJSONObject: claims),
        ].map(\.base64URLText).joined(separator: ".")
        return "\(signed).\(try key.signature(for: Data(signed.utf8)).rawRepresentation.base64URLText)"
    }

    private static func text(_ key: P256.Signing.PrivateKey) -> String {
        """
        {
          "subscriptionGroups" : [
            { "id" : "BASKETS", "name" : "Baskets", "localizations" : [
                { "description" : "", "displayName" : "Körbe", "locale" : "de_DE" } ],
              "subscriptions" : [
              { "productID" : "small", "referenceName" : "small", "displayPrice" : "4.99", "internalID" : "small",
                "familyShareable" : false, "type" : "RecurringSubscription", "recurringSubscriptionPeriod" : "P1M",
                "groupNumber" : 1, "subscriptionGroupID" : "BASKETS", "localizations" : [],
                "introductoryOffer" : { "internalID" : "1", "paymentMode" : "free", "subscriptionPeriod" : "P1W" },
                "adHocOffers" : [
                  { "internalID" : "2", "offerID" : "spring", "paymentMode" : "payAsYouGo", "numberOfPeriods" : 2,
                    "subscriptionPeriod" : "P1M", "displayPrice" : "1.99", "referenceName" : "Spring" } ],
                "codeOffers" : [
                  { "internalID" : "3", "referenceName" : "Welcome", "paymentMode" : "free",
                    "subscriptionPeriod" : "P1M" } ],
                "winbackOffers" : [
                  { "internalID" : "4", "offerID" : "return", "referenceName" : "Return", "isEligible" : true,
                    "paymentMode" : "free", "subscriptionPeriod" : "P3M" } ] } ] }
          ],
          "subscriptionOffersKeyPair" : {
            "id" : "5509FCF1", "privateKey" : "\(key.derRepresentation.base64EncodedString())"
          },
          "version" : { "major" : 3, "minor" : 0 }
        }
        """
    }
}
