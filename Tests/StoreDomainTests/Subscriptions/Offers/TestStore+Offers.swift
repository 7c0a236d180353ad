// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreTestSupport

extension TestStore {
    /// Sells baskets with introductory offers, all in one group: a week free,
    /// three months for less, and half a year for less; `plain` has none.
    /// `large` and `plain` have promotional offers, too.
    func sellOffers(
        smallPrice: String = "4.99", plainPrice: String = "5.99", sellsPlain: Bool = true, offersTrial: Bool = true,
        hasPromotions: Bool = true, hasWinBack: Bool = false, hasKey: Bool = false
    ) async throws {
        let trial = Self.offer("introductoryOffer", "free", "P1W")
        let spring = Self.promotional("spring", "payAsYouGo", "P1M", periods: 2, "1.99")
        let free = Self.promotional("free", "free", "P2W")
        let dear = Self.promotional("dear", "payAsYouGo", "P1M", "5.99")
        let offers = [
            Self.subscription("large", "9.99", "P1M", 1, "BASKETS")
                .with(Self.offer("introductoryOffer", "payAsYouGo", "P1M", periods: 3, "0.99"))
                .with("\"adHocOffers\" : [ \(spring), \(free) ]"),
            Self.subscription("small", smallPrice, "P1M", 2, "BASKETS").with(offersTrial ? trial : ""),
            Self.subscription(sellsPlain ? "plain" : "other", plainPrice, "P1M", 2, "BASKETS")
                .with(hasPromotions ? "\"adHocOffers\" : [ \(spring), \(free), \(dear) ]" : "")
                .with(hasWinBack ? "\"winbackOffers\" : [ \(Self.winBacks) ]" : ""),
            Self.subscription("yearly", "49.99", "P1Y", 2, "BASKETS")
                .with(Self.offer("introductoryOffer", "payUpFront", "P6M", "19.99")),
        ]
        try await sell(
            Self.catalogue.replacing(
                "\"version\" :",
                with: """
                    "subscriptionGroups" : [ { "id" : "BASKETS", "name" : "Baskets", "localizations" : [],
                      "subscriptions" : [ \(offers.joined(separator: ", ")) ] } ],
                    \(hasKey ? Self.keyPair : "")
                    "version" :
                    """))
    }

    /// An offer with its key, as a configuration file has it.
    static func offer(
        _ key: String, _ mode: String, _ period: String, periods: Int = 1, _ price: String? = nil
    ) -> String {
        """
        "\(key)" : { "internalID" : "offer", "paymentMode" : "\(mode)", "subscriptionPeriod" : "\(period)",
          "numberOfPeriods" : \(periods)\(price.map { ", \"displayPrice\" : \"\($0)\"" } ?? "") }
        """
    }
}

extension TestStore {
    /// A key that promotional offers are signed with, as Xcode writes it.
    private static let keyPair = """
        "subscriptionOffersKeyPair" : { "id" : "5509FCF1",
          "privateKey" : "\(P256.Signing.PrivateKey().derRepresentation.base64EncodedString())" },
        """

    /// Two win-back offers, and one that is switched off.
    private static let winBacks = [
        promotional("back", "payAsYouGo", "P1M", periods: 2, "0.99"),
        promotional("month", "free", "P1M").replacing("{ ", with: "{ \"priority\" : \"HIGH\", ", maxReplacements: 1),
        promotional("off", "free", "P1W").replacing("{ ", with: "{ \"isEligible\" : false, ", maxReplacements: 1),
    ].joined(separator: ", ")

    private static func promotional(
        _ identifier: String, _ mode: String, _ period: String, periods: Int = 1, _ price: String? = nil
    ) -> String {
        """
        { "internalID" : "offer", "offerID" : "\(identifier)", "referenceName" : "\(identifier)",
          "paymentMode" : "\(mode)", "subscriptionPeriod" : "\(period)",
          "numberOfPeriods" : \(periods)\(price.map { ", \"displayPrice\" : \"\($0)\"" } ?? "") }
        """
    }
}

extension String {
    /// A JSON object with one more member; the same for an empty one.
    fileprivate func with(_ member: String) -> String {
        member.isEmpty ? self : replacing("\"localizations\" : []", with: "\"localizations\" : [], \(member)")
    }
}
