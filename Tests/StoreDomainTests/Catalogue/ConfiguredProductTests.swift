// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

/// Selling the products of a configuration file, with all kinds and lengths of
/// plans.
struct ConfiguredProductTests {
    @Test("A product of every kind and a plan of every length is sold", arguments: Engine.stores)
    func everyKind(engine: Engine) async throws {
        let periods = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]
        let plans = periods.enumerated().map { level, period in
            """
            { "productID" : "\(period)", "type" : "RecurringSubscription", "displayPrice" : "\(level + 1).99",
              "recurringSubscriptionPeriod" : "\(period)", "groupNumber" : \(level + 1), "subscriptionGroupID" : "G" }
            """
        }
        let file = """
            { "products" : [
                { "productID" : "juice", "type" : "Consumable", "displayPrice" : "29" },
                { "productID" : "fig", "type" : "NonConsumable", "displayPrice" : "0.99" } ],
              "nonRenewingSubscriptions" : [
                { "productID" : "season", "type" : "NonRenewingSubscription", "displayPrice" : "9.99" } ],
              "subscriptionGroups" : [
                { "id" : "G", "name" : "Plans", "localizations" : [],
                  "subscriptions" : [ \(plans.joined(separator: ", ")) ] } ],
              "version" : { "major" : 2, "minor" : 0 } }
            """

        try await engine.withStore { store in
            try await store.sellsEveryProduct(of: Data(file.utf8), named: "every kind")
        }
    }
}
