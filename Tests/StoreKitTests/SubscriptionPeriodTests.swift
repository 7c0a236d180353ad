// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import Testing

@testable import StoreKit

/// The period and the group of a subscription, as the store sends them.
struct SubscriptionPeriodTests {
    private static func product(period: String?, group: String? = nil) -> SKProduct {
        SKProduct(
            ProductInfo(
                productIdentifier: "gold", type: .autoRenewable, title: "Gold", description: "", milliunits: 9990,
                currency: "USD", priceLocale: "en_US@currency=USD", isFamilyShareable: false,
                subscriptionPeriod: period, subscriptionGroupIdentifier: group))
    }

    @Test(
        "A product has the period that the store sends",
        arguments: [
            ("P1W", 1, .week), ("P1M", 1, .month), ("P2M", 2, .month), ("P3M", 3, .month), ("P6M", 6, .month),
            ("P1Y", 1, .year), ("P14D", 14, .day),
        ] as [(String, Int, SKProduct.PeriodUnit)])
    func periods(text: String, count: Int, unit: SKProduct.PeriodUnit) throws {
        let period = try #require(Self.product(period: text).subscriptionPeriod)

        #expect(period.numberOfUnits == count && period.unit == unit)
    }

    @Test(
        "A period that this version doesn't know is none",
        arguments: [nil, "", "P", "M", "PM", "P0M", "P-1M", "P1Y6M", "PT1H", "P1X", "1M", "P99999D", "P٣M"] as [String?]
    )
    func unknown(text: String?) {
        #expect(Self.product(period: text).subscriptionPeriod == nil)
    }

    @Test("A product has its group, and a test may set both")
    func groups() throws {
        let product = Self.product(period: "P1M", group: "metals")
        #expect(product.subscriptionGroupIdentifier == "metals")
        let other = try #require(Self.product(period: "P1Y").subscriptionPeriod)

        product.setValue(other, forKey: "subscriptionPeriod")
        product.setValue("wood", forKey: "subscriptionGroupIdentifier")

        #expect(product.subscriptionPeriod === other && product.subscriptionGroupIdentifier == "wood")
    }

    @Test("A product of an older store has neither, and an older device ignores both")
    func olderVersions() throws {
        let old = """
            { "productIdentifier": "gold", "type": "Consumable", "title": "Gold", "description": "", "milliunits": 1,
              "currency": "USD", "priceLocale": "en_US", "isFamilyShareable": false }
            """
        let info = try StoreCoding.decode(ProductInfo.self, from: Data(old.utf8))
        #expect(info.subscriptionPeriod == nil && info.subscriptionGroupIdentifier == nil)
        // Nothing is sent for other products.
        let sent = String(decoding: try StoreCoding.encode(info), as: UTF8.self)
        #expect(!sent.contains("subscription"), "\(sent)")
        for (field, value) in [("subscriptionPeriod", 41), ("subscriptionGroupIdentifier", 256)] {
            let long = old.replacing(
                "\"type\"", with: "\"\(field)\": \"\(String(repeating: "x", count: value))\", \"type\"")
            let error = try #require(throws: LimitExceeded.self) {
                try StoreCoding.decode(ProductInfo.self, from: Data(long.utf8))
            }
            #expect(error.field == field)
        }
    }
}
