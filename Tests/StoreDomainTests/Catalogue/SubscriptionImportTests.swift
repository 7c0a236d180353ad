// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Importing the groups and plans of subscriptions.
struct SubscriptionImportTests {
    private static let app = App(bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier), name: "Fruit")

    /// A file with two levels of a group, with changes in its text.
    static func file(_ changes: [String: String] = [:]) throws -> StoreKitConfigurationFile {
        let text = changes.reduce(
            """
            { "products": [{ "productID": "apple", "type": "NonConsumable", "displayPrice": "0.99" }],
              "settings": { "_billingGracePeriodEnabled": true },
              "subscriptionGroups": [{ "id": "g", "name": "Metals", "localizations": [
                  { "locale": "en_US", "displayName": "Metals", "description": "" }],
                "subscriptions": [
                  { "productID": "gold", "type": "RecurringSubscription", "displayPrice": "9.99", "groupNumber": 1,
                    "recurringSubscriptionPeriod": "P1Y", "subscriptionGroupID": "g" },
                  { "productID": "silver", "type": "RecurringSubscription", "displayPrice": "4.99", "groupNumber": 2,
                    "recurringSubscriptionPeriod": "P1M", "subscriptionGroupID": "g" }] }] }
            """
        ) { $0.replacing($1.key, with: $1.value) }
        return try StoreKitConfigurationFile(
            Data(text.utf8), file: "metals.storekit", bundleIdentifier: app.bundleIdentifier)
    }

    private func start(_ store: TestStore, with file: StoreKitConfigurationFile) async throws -> [String] {
        try await ImportingCatalogue(store.context)(file, into: Self.app, onlyIfChanged: true).lines
    }

    private func catalogue(_ store: TestStore) async throws -> AppCatalogue {
        try await store.context.read { db in try Catalogue.all(of: Self.app.bundleIdentifier, db) }
    }

    private func product(_ identifier: ProductIdentifier, of store: TestStore) async throws -> Product? {
        try await store.context.read { db in try Catalogue.product(identifier, of: Self.app.bundleIdentifier, db) }
    }

    @Test("Groups, plans and the grace period are saved and read as they are in the file", arguments: Engine.stores)
    func saved(engine: Engine) async throws {
        try await engine.withStore { store in
            let file = try Self.file()

            let lines = try await start(store, with: file)

            let name = "metals.storekit"
            #expect(lines.first == "\(name): group g: added (Metals).")
            #expect(lines.contains("\(name): gold: added (Auto-Renewable Subscription, 9.99)."))
            #expect(lines.last == "\(name): grace period: changed: from 0 to 16 days.")
            let catalogue = try await catalogue(store)
            #expect(catalogue.groups == file.groups && catalogue.gracePeriodDays == 16)
            #expect(try await FindingApp(store.context)(Self.app.bundleIdentifier)?.gracePeriodDays == 16)
            for wanted in file.products {
                #expect(try await product(wanted.productIdentifier, of: store) == wanted)
            }
            // The same file with another checksum: nothing is different.
            #expect(try await start(store, with: Self.file(["{ \"products\"": "{  \"products\""])).isEmpty)
        }
    }

    @Test("Changes of groups and plans are named, and an absent setting changes nothing", arguments: Engine.stores)
    func changed(engine: Engine) async throws {
        try await engine.withStore { store in
            _ = try await start(store, with: Self.file())

            let lines = try await start(
                store,
                with: Self.file([
                    "\"displayName\": \"Metals\"": "\"displayName\": \"Precious\"", "\"P1Y\"": "\"P6M\"",
                    "\"groupNumber\": 2": "\"groupNumber\": 1", "\"_billingGracePeriodEnabled\": true": "",
                ]))

            #expect(
                lines == [
                    "metals.storekit: group g: changed: title (en_US).",
                    "metals.storekit: gold: changed: period from P1Y to P6M.",
                    "metals.storekit: silver: changed: level from 2 to 1.",
                ])
            #expect(try await catalogue(store).gracePeriodDays == 16)
            let gold = try await product("gold", of: store)
            #expect(gold?.plan == Product.Plan(group: "g", level: 1, period: SubscriptionPeriod(6, .month)))
            #expect(
                try await start(store, with: Self.file(["Enabled\": true": "Enabled\": false"])).last
                    == "metals.storekit: grace period: changed: from 16 to 0 days.")
        }
    }

    @Test("A grace period that has another length keeps it", arguments: Engine.stores)
    func otherGracePeriod(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.context.write(.key("test")) { db in
                try Catalogue.setGracePeriod(days: 28, of: Self.app.bundleIdentifier, db)
            }

            #expect(try await !start(store, with: Self.file()).contains { $0.contains("grace period") })
            #expect(try await catalogue(store).gracePeriodDays == 28)
        }
    }

    @Test("A product moves to another group, and the old group stays", arguments: Engine.stores)
    func moved(engine: Engine) async throws {
        try await engine.withStore { store in
            _ = try await start(store, with: Self.file())

            let lines = try await start(store, with: Self.file(["\"g\"": "\"h\""]))

            #expect(
                lines == [
                    "metals.storekit: group h: added (Metals).",
                    "metals.storekit: gold: changed: group from g to h.",
                    "metals.storekit: silver: changed: group from g to h.",
                ])
            #expect(try await catalogue(store).groups.map(\.identifier).sorted() == ["g", "h"])
            #expect(try await product("silver", of: store)?.plan?.group == "h")
        }
    }

    @Test("A product that a file lacks is withdrawn, and one of another type has no plan", arguments: Engine.stores)
    func withdrawn(engine: Engine) async throws {
        try await engine.withStore { store in
            _ = try await start(store, with: Self.file())

            let file = try StoreKitConfigurationFile(
                Data(
                    """
                    { "products": [{ "productID": "apple", "type": "NonConsumable", "displayPrice": "0.99" },
                        { "productID": "silver", "type": "Consumable", "displayPrice": "4.99" }] }
                    """.utf8), file: "metals.storekit", bundleIdentifier: Self.app.bundleIdentifier)
            let lines = try await start(store, with: file)

            #expect(
                lines == [
                    "metals.storekit: silver: changed: type from Auto-Renewable Subscription to Consumable.",
                    "metals.storekit: gold: taken off sale, because the file doesn't contain it any more.",
                ])
            let gold = try await product("gold", of: store)
            #expect(gold?.isForSale == false && gold?.plan?.group == "g")
            #expect(try await product("silver", of: store)?.plan == nil)
            #expect(try await store.count("subscription_plan") == 1)
        }
    }

    @Test("A price that an operator sets leaves the plan as it is", arguments: Engine.stores)
    func priced(engine: Engine) async throws {
        try await engine.withStore { store in
            _ = try await start(store, with: Self.file())
            let before = try await product("gold", of: store)

            try await store.service.setPrice(product: "gold", of: Self.app.bundleIdentifier, in: nil, to: "12")

            let after = try await product("gold", of: store)
            #expect(after?.plan == before?.plan && after?.plan != nil)
            #expect(after?.milliunits == 12000)
        }
    }

    @Test("Prices and countries of the file replace those of the store", arguments: Engine.stores)
    func storeTerms(engine: Engine) async throws {
        try await engine.withStore { store in
            _ = try await start(store, with: Self.file())
            let terms = "\"_openStoreKit\": { \"prices\": { \"DEU\": \"8.99\" }, \"notSoldIn\": [\"JPN\", \"FRA\"] }"

            let lines = try await start(store, with: Self.file(["\"groupNumber\": 1": "\"groupNumber\": 1, \(terms)"]))

            #expect(
                lines == [
                    """
                    metals.storekit: gold: changed: price in DEU from the base price to 8.99, not sold in FRA and JPN.
                    """
                ])
            let gold = try await product("gold", of: store)
            #expect(gold?.prices == ["DEU": 8990] && gold?.exclusions == ["FRA", "JPN"])
            // One import is one edit. A file without the countries leaves them.
            #expect(try await store.count("product", where: "product_id = 'gold' AND edit_number = 2") == 1)
            #expect(
                try await start(store, with: Self.file(["\"products\"": " \"products\""])) == [
                    "metals.storekit: gold: changed: price in DEU from 8.99 to the base price."
                ])
            #expect(try await product("gold", of: store)?.exclusions == ["FRA", "JPN"])
        }
    }

    @Test("A copied store has the groups, the plans and the grace period", arguments: Engine.stores)
    func copied(engine: Engine) async throws {
        try await Engine.sqliteMemory.withStore { store in
            _ = try await start(store, with: Self.file())
            let original = try await catalogue(store)
            try await engine.withDatabase(hasTables: true) { target in
                let tables = try await CopyingStore(from: store.context.database, to: target)(now: store.clock.now)
                #expect(tables.first { $0.table == "subscription_plan" }?.rows == 2)

                let context = try await TestStore.context(over: target, clock: store.clock)
                #expect(try await context.read { try Catalogue.all(of: Self.app.bundleIdentifier, $0) } == original)
            }
        }
    }
}
