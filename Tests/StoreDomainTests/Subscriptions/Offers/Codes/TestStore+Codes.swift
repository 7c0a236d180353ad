// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreTestSupport
import Testing

extension TestStore {
    /// Sells subscriptions of one group and a glass of water, with offers for
    /// codes: a month free, two cheap months, and others.
    func sellCodes(hasLetter: Bool = true) async throws {
        let letter = Self.codeOffer("letter", "free", "P1M", #"["new", "expired"]"#)
        let stay = Self.codeOffer("stay", "payAsYouGo", "P1M", #"["existing"]"#, "1.99", periods: 2)
        let any = Self.codeOffer("any", "payUpFront", "P1M", #"["new", "existing", "expired"]"#, "0.99")
        let stack = Self.codeOffer("stack", "payUpFront", "P3M", #"["new"]"#, "4.99", isStackable: true)
        let trial = Self.offer("introductoryOffer", "free", "P1W")
        let products = [
            Self.subscription("large", "9.99", "P1M", 1, "BASKETS").codes([any]),
            Self.subscription("plain", "5.99", "P1M", 2, "BASKETS").codes((hasLetter ? [letter] : []) + [stay, any]),
            Self.subscription("small", "4.99", "P1M", 3, "BASKETS").codes([any]),
            Self.subscription("trial", "4.99", "P1M", 2, "BASKETS").codes([stack])
                .replacing("\"localizations\" : []", with: "\"localizations\" : [], \(trial)"),
        ]
        let water = """
            "products" : [
              { "displayPrice" : "0.89", "familyShareable" : false, "internalID" : "9", "productID" : "water",
                "referenceName" : "Water", "type" : "Consumable", "localizations" : [],
                "codeOffers" : [ { "referenceName" : "half", "displayPrice" : "0.45" } ] },
            """
        try await sell(
            Self.catalogue.replacing("\"products\" : [", with: water).replacing(
                "\"version\" :",
                with: """
                    "subscriptionGroups" : [ { "id" : "BASKETS", "name" : "Baskets", "localizations" : [],
                      "subscriptions" : [ \(products.joined(separator: ", ")) ] } ],
                    "version" :
                    """))
    }

    private static func codeOffer(
        _ name: String, _ mode: String, _ period: String, _ eligibility: String, _ price: String? = nil,
        periods: Int = 1, isStackable: Bool = false
    ) -> String {
        """
        { "internalID" : "code", "referenceName" : "\(name)", "paymentMode" : "\(mode)",
          "subscriptionPeriod" : "\(period)", "numberOfPeriods" : \(periods), "eligibility" : \(eligibility),
          "isStackable" : \(isStackable)\(price.map { ", \"displayPrice\" : \"\($0)\"" } ?? "") }
        """
    }

    /// An order of codes for an offer.
    static func order(
        _ offer: String?, of product: String = "plain", batch: String = "b1", size: Int = 3,
        expires: WallTime? = nil
    ) -> ManagingCodes.Order {
        ManagingCodes.Order(
            batch: batch, bundleIdentifier: BundleIdentifier(bundleIdentifier),
            productIdentifier: ProductIdentifier(product), kind: offer == nil ? .promo : .oneTime, offer: offer,
            name: "test", size: size, expires: expires, seed: Data(repeating: 7, count: 32))
    }

    /// A word that can be redeemed a number of times.
    static func custom(_ code: String, _ offer: String, of product: String = "plain", limit: Int) -> ManagingCodes.Order
    {
        ManagingCodes.Order(
            batch: code, bundleIdentifier: BundleIdentifier(bundleIdentifier),
            productIdentifier: ProductIdentifier(product), kind: .custom, offer: offer, name: "word",
            usesLimit: limit, code: code)
    }

    /// Makes codes.
    func codes(_ order: ManagingCodes.Order) async throws -> [String] {
        try await ManagingCodes(context).create(order).codes
    }

    /// The redemptions of all batches, which are the uses of their codes.
    func redemptions() async throws -> Int {
        let app = BundleIdentifier(Self.bundleIdentifier)
        let counted = try await ManagingCodes(context)(of: app).reduce(0) { $0 + $1.redemptions }
        let used: Int? = try await context.read { db in
            try db.row("SELECT CAST(COALESCE(SUM(uses), 0) AS BIGINT) AS n FROM offer_code", [])?.get("n")
        }
        #expect(counted == used)
        return counted
    }
}

extension Subscriber {
    /// Asks for a sheet on which a code is typed.
    func codeSheet(_ request: String = UUID().uuidString) async throws -> String {
        let asked = try await AskingForRedemption(store.context)(
            RequestIdentifier(request), of: BundleIdentifier(TestStore.bundleIdentifier),
            on: DeviceIdentifier(phone.credentials.identifier))
        return asked.sheet ?? ""
    }

    /// Types a code, and confirms its terms.
    @discardableResult
    func redeem(_ code: String, onSheet sheet: String? = nil) async throws -> DeviceRequest {
        let sheet = if let sheet { sheet } else { try await codeSheet() }
        let redeeming = RedeemingCode(store.context)
        let terms = try await redeeming.terms(of: code, onSheet: sheet, account: account)
        return try await redeeming(
            code: code, sheet: sheet, account: account, shown: AgreedTerms(terms.shown)
        ).request
    }

    /// The error with which a code is refused; `nil` when it is redeemed.
    func refusal(of code: String, onSheet sheet: String? = nil) async throws -> DomainError.Code? {
        do {
            try await redeem(code, onSheet: sheet)
            return nil
        } catch let error as DomainError {
            return error.code
        }
    }
}

extension String {
    fileprivate func codes(_ offers: [String]) -> String {
        replacing(
            "\"localizations\" : []",
            with: "\"localizations\" : [], \"codeOffers\" : [ \(offers.joined(separator: ", ")) ]")
    }
}
