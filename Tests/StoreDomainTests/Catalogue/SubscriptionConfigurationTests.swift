// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import Testing

/// Reading the groups of subscriptions of Xcode's configuration files.
struct SubscriptionConfigurationTests {
    private func read(_ json: String) throws -> StoreKitConfigurationFile {
        try StoreKitConfigurationFile(Data(json.utf8), file: "shop.storekit", bundleIdentifier: "com.example.shop")
    }

    /// A file with a group, whose one subscription has other values for some
    /// keys; `nil` removes a key.
    private func file(
        _ changes: [String: String?] = [:], group: String = "\"id\": \"g\", \"name\": \"Metals\""
    ) -> String {
        var values: [String: String?] = [
            "productID": "\"gold\"", "type": "\"RecurringSubscription\"", "displayPrice": "\"9.99\"",
            "groupNumber": "1", "recurringSubscriptionPeriod": "\"P1M\"", "subscriptionGroupID": "\"g\"",
            "familyShareable": "true", "referenceName": "\"Gold\"",
            "localizations": "[{ \"locale\": \"en_US\", \"displayName\": \"Gold\", \"description\": \"All\" }]",
        ]
        values.merge(changes) { $1 }
        let members = values.compactMap { key, value in value.map { "\"\(key)\": \($0)" } }.joined(separator: ", ")
        return "{ \"subscriptionGroups\": [{ \(group), \"subscriptions\": [{ \(members) }] }] }"
    }

    @Test("A group's subscription is a product with a plan, after the other products")
    func readsGroups() throws {
        let configuration = try read(
            """
            { "subscriptionGroups": [
                { "id": "g", "name": "Metals", "localizations": [
                    { "locale": "de_DE", "displayName": "Metalle", "description": "Laden" }], "subscriptions": [
                  { "productID": "gold", "type": "RecurringSubscription", "displayPrice": "9.99", "groupNumber": 1,
                    "recurringSubscriptionPeriod": "P1M", "subscriptionGroupID": "g" },
                  { "productID": "silver", "type": "RecurringSubscription", "displayPrice": "99", "groupNumber": 2,
                    "recurringSubscriptionPeriod": "P1Y" }] },
                { "id": "h", "name": null, "subscriptions": [] }],
              "products": [{ "productID": "apple", "type": "Consumable", "displayPrice": "1" }] }
            """)

        #expect(configuration.products.map(\.productIdentifier) == ["apple", "gold", "silver"])
        #expect(configuration.products.map(\.kind) == [.consumable, .autoRenewable, .autoRenewable])
        #expect(
            configuration.products.map(\.plan) == [
                nil, Product.Plan(group: "g", level: 1, period: SubscriptionPeriod(1, .month)),
                Product.Plan(group: "g", level: 2, period: SubscriptionPeriod(1, .year)),
            ])
        #expect(
            configuration.groups == [
                SubscriptionGroup(
                    bundleIdentifier: "com.example.shop", identifier: "g", referenceName: "Metals",
                    localizations: [.init(locale: "de_DE", title: "Metalle", description: "Laden")]),
                SubscriptionGroup(bundleIdentifier: "com.example.shop", identifier: "h", referenceName: "h"),
            ])
        #expect(configuration.omissions.isEmpty, "\(configuration.omissions)")
    }

    @Test("Every period of a subscription is read", arguments: ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"])
    func periods(text: String) throws {
        let configuration = try read(file(["recurringSubscriptionPeriod": "\"\(text)\""]))

        #expect(configuration.products.map(\.plan?.period.iso8601) == [text])
    }

    @Test("The setting of the grace period is on, off, or not in the file")
    func gracePeriod() throws {
        for (value, isOn) in [("true", true), ("false", false), ("null", nil)] as [(String, Bool?)] {
            let text = "{ \"settings\": { \"_billingGracePeriodEnabled\": \(value) } }"
            #expect(try read(text).hasGracePeriod == isOn, "\(value)")
        }
        #expect(try read("{ \"settings\": {} }").hasGracePeriod == nil)
    }

    @Test("Prices and countries that an export has written are read")
    func storeTerms() throws {
        let configuration = try read(
            file(["_openStoreKit": "{ \"prices\": { \"DEU\": \"8.99\" }, \"notSoldIn\": [\"JPN\"] }"]))

        #expect(configuration.products.map(\.prices) == [["DEU": 8990]])
        #expect(configuration.exclusions == ["gold": ["JPN"]])
        #expect(configuration.omissions.isEmpty)
    }

    @Test(
        "A wrong subscription is refused with the file, the place and the key",
        arguments: [
            (["recurringSubscriptionPeriod": "\"P1D\""], ["recurringSubscriptionPeriod", "\"P1D\"", "P1W, P1M, P2M"]),
            (["recurringSubscriptionPeriod": "\"month\""], ["recurringSubscriptionPeriod", "\"month\""]),
            (["recurringSubscriptionPeriod": nil], ["recurringSubscriptionPeriod", "missing"]),
            (["groupNumber": "0"], ["groupNumber", "0 is no level"]),
            (["groupNumber": "-1"], ["groupNumber", "-1 is no level"]),
            (["groupNumber": "1.5"], ["groupNumber", "not a whole number"]),
            (["groupNumber": "true"], ["groupNumber", "not a whole number"]),
            (["groupNumber": "\"1\""], ["groupNumber", "not a whole number"]),
            (["groupNumber": nil], ["groupNumber", "missing"]),
            (["subscriptionGroupID": "\"h\""], ["subscriptionGroupID", "\"h\" is another group than \"g\""]),
            (["type": "\"Consumable\""], ["type", "\"Consumable\"", "RecurringSubscription"]),
            (["displayPrice": "\"free\""], ["displayPrice", "\"free\" is no decimal"]),
            (["_openStoreKit": "[]"], ["_openStoreKit", "not an object"]),
            (["_openStoreKit": "{ \"prices\": { \"XYZ\": \"1\" } }"], ["_openStoreKit", "prices", "no storefront"]),
            (["_openStoreKit": "{ \"prices\": { \"DEU\": \"x\" } }"], ["_openStoreKit", "DEU", "no decimal"]),
            (["_openStoreKit": "{ \"notSoldIn\": [\"XYZ\"] }"], ["_openStoreKit", "notSoldIn", "no storefront"]),
        ] as [([String: String?], [String])])
    func wrongSubscription(changes: [String: String?], words: [String]) throws {
        let error = try #require(throws: DomainError.self) { try read(file(changes)) }

        #expect(error.code == .configuration)
        for word in ["shop.storekit", "subscriptionGroups[0].subscriptions[0] (gold)"] + words {
            #expect(error.message.contains(word), "\(error.message)")
        }
    }

    @Test("A product that is there twice, and a group, are refused")
    func twice() throws {
        let gold = "\"productID\": \"gold\", \"displayPrice\": \"1\""
        let product = "{ \"products\": [{ \(gold), \"type\": \"Consumable\" }], " + file().dropFirst(1)
        let group = "{ \"subscriptionGroups\": [{ \"id\": \"g\" }, { \"id\": \"g\" }] }"
        for (text, words) in [
            (product, ["subscriptionGroups[0].subscriptions[0]", "productID", "\"gold\" is there twice"]),
            (group, ["subscriptionGroups[1]", "id", "\"g\" is there twice"]),
            (file(group: "\"name\": \"Metals\""), ["subscriptionGroups[0]", "id", "missing"]),
        ] {
            let error = try #require(throws: DomainError.self) { try read(text) }
            #expect(error.code == .configuration)
            for word in words { #expect(error.message.contains(word), "\(error.message)") }
        }
    }
}
