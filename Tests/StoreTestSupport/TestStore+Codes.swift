// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

extension TestStore {
    /// Sells a weekly magazine for 2.99, whose first week is free with a code.
    package func sellWeekly(code: String) async throws {
        let file = Self.catalogue.replacing(
            "\"version\" :",
            with: """
                "subscriptionGroups" : [ { "id" : "WEEKLIES", "name" : "Weeklies", "localizations" : [],
                    "subscriptions" : [ { "productID" : "weekly", "referenceName" : "Weekly", "displayPrice" : "2.99",
                    "type" : "RecurringSubscription", "recurringSubscriptionPeriod" : "P1W", "groupNumber" : 1,
                    "subscriptionGroupID" : "WEEKLIES", "localizations" : [],
                    "codeOffers" : [ { "referenceName" : "Welcome", "paymentMode" : "free",
                        "subscriptionPeriod" : "P1W" } ] } ] } ],
                "version" :
                """)
        let bundle = BundleIdentifier(Self.bundleIdentifier)
        try await ImportingCatalogue(context)(
            StoreKitConfigurationFile(Data(file.utf8), file: "weekly.storekit", bundleIdentifier: bundle),
            into: App(bundleIdentifier: bundle, name: "Fruit"))
        _ = try await ManagingCodes(context).create(
            ManagingCodes.Order(
                batch: "welcome", bundleIdentifier: bundle, productIdentifier: "weekly", kind: .custom,
                offer: "Welcome", name: "Welcome", usesLimit: 100, code: code))
    }
}
