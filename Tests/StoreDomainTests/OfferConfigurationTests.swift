// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreDomain

@Suite("The offers of a configuration file")
struct OfferConfigurationTests {
    private func read(_ members: String) throws -> StoreKitConfigurationFile {
        let file = """
            { "subscriptionGroups": [{ "id": "g", "name": "Metals", "subscriptions": [
              { "productID": "gold", "type": "RecurringSubscription", "displayPrice": "9", "groupNumber": 1,
                "recurringSubscriptionPeriod": "P1M", "subscriptionGroupID": "g", "internalID": "3",
                \(members) }] }] }
            """
        return try StoreKitConfigurationFile(Data(file.utf8), file: "shop.storekit", bundleIdentifier: "b")
    }

    private func offers(_ members: String) throws -> [Product.Offer] { try read(members).products[0].offers }

    @Test("An introductory offer is read from a file of either form")
    func introductory() throws {
        let trial = Product.Offer(.introductory, mode: .free, period: SubscriptionPeriod(1, .week))
        let object = "{ \"internalID\": \"1\", \"paymentMode\": \"free\", \"subscriptionPeriod\": \"P1W\" }"
        #expect(try offers("\"introductoryOffer\": \(object)") == [trial])
        #expect(try offers("\"introductoryOffers\": [\(object)]") == [trial])
        // Newer files have it in both places.
        #expect(try offers("\"introductoryOffer\": \(object), \"introductoryOffers\": [\(object)]") == [trial])
        #expect(try offers("\"introductoryOffer\": null, \"introductoryOffers\": []") == [])
    }

    @Test("A paid offer has a price, and may have one for a storefront")
    func paid() throws {
        let offer = try #require(
            try offers(
                """
                "introductoryOffer": { "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M", "numberOfPeriods": 3,
                  "displayPrice": "1.99", "_openStoreKit": { "prices": { "DEU": "1.49" } } }
                """
            ).first)
        #expect(offer.mode == .payAsYouGo && offer.periods == 3)
        #expect(offer.milliunits == 1990 && offer.prices == ["DEU": 1490])
    }

    @Test("A code offer has its customers, and win-back offers their switch and priority")
    func codesAndWinBacks() throws {
        let offers = try offers(
            """
            "codeOffers": [
              { "referenceName": "Letter", "eligibility": ["new", "expired"], "isStackable": true,
                "paymentMode": "free", "subscriptionPeriod": "P1M" },
              { "referenceName": "Fair", "paymentMode": "payUpFront", "subscriptionPeriod": "P3M",
                "displayPrice": "4.99" }],
            "winbackOffers": [
              { "offerID": "return", "referenceName": "Return", "isEligible": false, "priority": 1,
                "paymentMode": "free", "subscriptionPeriod": "P3M" },
              { "offerID": "again", "paymentMode": "free", "subscriptionPeriod": "P3M" }]
            """)
        #expect(offers.map(\.kind) == [.code, .code, .winBack, .winBack])
        #expect(offers.map(\.identifier) == ["Letter", "Fair", "return", "again"])
        #expect(offers[0].eligibility == [.new, .expired] && offers[0].isStackable)
        #expect(offers[1].eligibility == [.new, .existing, .expired] && !offers[1].isStackable)
        #expect(offers[1].milliunits == 4990)
        #expect(offers.suffix(2).map(\.isEligible) == [false, true])
        #expect(offers.suffix(2).map(\.priority) == [.high, .normal])

        let text = try #require(try offers.stored)
        #expect(try [Product.Offer](stored: text) == offers)
    }

    @Test("An offer of an earlier version is read, and is written as it was")
    func storedBefore() throws {
        let text = """
            [{"identifier":"a","kind":"promotional","milliunits":0,"mode":"free","period":"P1W","periods":1,\
            "prices":{},"referenceName":""}]
            """
        let offers = try [Product.Offer](stored: text)
        #expect(offers.map(\.isEligible) == [true] && offers.map(\.priority) == [.normal])
        #expect(try offers.stored == text)
    }

    @Test("A code gives a product without periods for nothing, or for a price")
    func oneTime() throws {
        let file = """
            { "products": [{ "productID": "fig", "type": "Consumable", "displayPrice": "1", "internalID": "2",
              "codeOffers": [{ "referenceName": "Half", "displayPrice": "0.49" }, { "referenceName": "Gift" }] }] }
            """
        let configuration = try StoreKitConfigurationFile(
            Data(file.utf8), file: "shop.storekit", bundleIdentifier: "b")
        let offers = configuration.products[0].offers
        #expect(offers.map(\.identifier) == ["Half", "Gift"] && offers.map(\.mode) == [.payUpFront, .free])
        #expect(offers.map(\.milliunits) == [490, 0])
        #expect(configuration.omissions.isEmpty)
    }

    @Test(
        "A product has at most 10 promotional offers, 10 code offers and 350 win-back offers",
        arguments: [("adHocOffers", 10), ("codeOffers", 10), ("winbackOffers", 350)])
    func number(key: String, most: Int) throws {
        func list(_ count: Int) -> String {
            let offers = (0..<count).map {
                """
                { "offerID": "o\($0)", "referenceName": "o\($0)", "paymentMode": "free", "subscriptionPeriod": "P1M" }
                """
            }
            return "\"\(key)\": [\(offers.joined(separator: ", "))]"
        }
        #expect(try offers(list(most)).count == most)
        let error = try #require(throws: DomainError.self) { try read(list(most + 1)) }
        #expect(error.code == .configuration)
        #expect(error.message.contains("(gold)") && error.message.contains(key), "\(error.message)")
        #expect(error.message.contains("\(most)") && error.message.lowercased().contains("offers"), "\(error.message)")
    }

    @Test("Of promotional and code offers with the same name the first one counts, and the file is imported")
    func sameNames() throws {
        for key in ["adHocOffers", "codeOffers"] {
            let file = try read(
                """
                "\(key)": [
                    { "offerID": "a", "referenceName": "a", "paymentMode": "free", "subscriptionPeriod": "P1W" },
                    { "offerID": "a", "referenceName": "a", "paymentMode": "free", "subscriptionPeriod": "P1M" }]
                """)
            let offers = file.products[0].offers
            #expect(offers.map(\.identifier) == ["a"] && offers[0].period == SubscriptionPeriod(1, .week), "\(offers)")
            let omission = try #require(file.omissions.first)
            #expect(file.omissions.count == 1 && omission.place.hasSuffix("\(key)[1]"), "\(file.omissions)")
            #expect(omission.reason.contains("has the name \"a\""))
        }
    }

    @Test("Offers of another billing plan don't count, and a consumable has at most 10 code offers")
    func numberOfOthers() throws {
        let offers = (0..<12).map {
            """
            { "offerID": "o\($0)", "paymentMode": "free", "subscriptionPeriod": "P1M"\
            \($0 < 2 ? ", \"billingPlanType\": \"MONTHLY\"" : "") }
            """
        }
        let file = try read("\"adHocOffers\": [\(offers.joined(separator: ", "))]")
        #expect(file.products[0].offers.count == 10 && file.omissions.count == 2)

        let codes = (0..<11).map { "{ \"referenceName\": \"c\($0)\" }" }.joined(separator: ", ")
        let glass = """
            { "products": [{ "productID": "fig", "type": "Consumable", "displayPrice": "1", "internalID": "2",
              "codeOffers": [\(codes)] }] }
            """
        let error = try #require(throws: DomainError.self) {
            try StoreKitConfigurationFile(Data(glass.utf8), file: "shop.storekit", bundleIdentifier: "b")
        }
        #expect(error.message.contains("codeOffers: has 11 offers, and a product has at most 10 of this kind"))
    }

    @Test(
        "A wrong offer is refused with its place and key",
        arguments: [
            ("\"introductoryOffer\": 7", ["introductoryOffer is not an object"]),
            ("\"introductoryOffer\": { }", ["introductoryOffer: paymentMode: is missing"]),
            ("\"introductoryOffer\": { \"paymentMode\": \"gift\" }", ["paymentMode", "gift", "payUpFront"]),
            ("\"introductoryOffer\": { \"paymentMode\": \"free\" }", ["subscriptionPeriod: is missing"]),
            (
                "\"introductoryOffer\": { \"paymentMode\": \"free\", \"subscriptionPeriod\": \"P400D\" }",
                ["subscriptionPeriod", "P400D", "at most a year"]
            ),
            (
                "\"introductoryOffer\": { \"paymentMode\": \"payUpFront\", \"subscriptionPeriod\": \"P1M\" }",
                ["displayPrice: is missing"]
            ),
            (
                """
                "introductoryOffers": [{ "paymentMode": "free", "subscriptionPeriod": "P1M", "numberOfPeriods": 0 }]
                """, ["introductoryOffers[0]: numberOfPeriods", "1 to 12"]
            ),
            (
                """
                "introductoryOffer": { "paymentMode": "free", "subscriptionPeriod": "P6M", "numberOfPeriods": 3 }
                """, ["numberOfPeriods", "longer than a year"]
            ),
            (
                """
                "introductoryOffer": { "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1Y", "numberOfPeriods": 2,
                  "displayPrice": "1" }
                """, ["numberOfPeriods", "longer than a year"]
            ),
            ("\"codeOffers\": [{ \"paymentMode\": \"free\" }]", ["codeOffers[0]", "subscriptionPeriod: is missing"]),
            (
                """
                "codeOffers": [{ "paymentMode": "free", "subscriptionPeriod": "P1M" }]
                """, ["codeOffers[0]", "referenceName: is missing"]
            ),
            (
                """
                "codeOffers": [{ "paymentMode": "free", "subscriptionPeriod": "P1M", "referenceName": "a",
                  "eligibility": ["old"] }]
                """, ["codeOffers[0]: eligibility", "\"old\"", "expired"]
            ),
            (
                """
                "winbackOffers": [
                  { "offerID": "a", "paymentMode": "free", "subscriptionPeriod": "P1M" },
                  { "offerID": "a", "paymentMode": "free", "subscriptionPeriod": "P1M" }]
                """, ["winbackOffers[1]: offerID", "\"a\" is there twice"]
            ),
            (
                """
                "winbackOffers": [{ "offerID": "a", "paymentMode": "free", "subscriptionPeriod": "P1M",
                  "_openStoreKit": { "conditions": { "paidMonths": 61 } } }]
                """, ["winbackOffers[0]._openStoreKit: conditions", "1 to 60, not 61."]
            ),
        ])
    func wrong(members: String, parts: [String]) throws {
        let error = try #require(throws: DomainError.self) { try read(members) }
        #expect(error.code == .configuration)
        for part in ["shop.storekit: subscriptionGroups[0].subscriptions[0] (gold)"] + parts {
            #expect(error.message.contains(part), "\(error.message)")
        }
    }
}
