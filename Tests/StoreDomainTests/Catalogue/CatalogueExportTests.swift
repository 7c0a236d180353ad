// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Exporting an app's products as the file that they were imported from.
struct CatalogueExportTests {
    private static let app = App(bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier), name: "Fruit")

    /// A file in Xcode's layout with keys that the store doesn't read.
    private static let text = """
        {
          "identifier" : "6073E9A3",
          "nonRenewingSubscriptions" : [

          ],
          "products" : [
            {
              "displayPrice" : "1",
              "familyShareable" : false,
              "internalID" : "AE10D05D",
              "localizations" : [
                {
                  "description" : "Sweet \\u0026 \\"red\\" \\/ äöü",
                  "displayName" : "Fig",
                  "locale" : "en_US"
                },
                {
                  "description" : "Süß",
                  "displayName" : "Feige",
                  "locale" : "de_DE",
                  "wonder" : 1.50
                }
              ],
              "productID" : "fig",
              "referenceName" : null,
              "type" : "Consumable"
            },
            {
              "displayPrice" : "2.99",
              "productID" : "date",
              "referenceName" : "Date",
              "type" : "NonConsumable"
            }
          ],
          "settings" : {

          },
          "subscriptionGroups" : [
            {
              "id" : "metals",
              "localizations" : [

              ],
              "name" : "Metals",
              "subscriptions" : [
                {
                  "codeOffers" : [
                    {
                      "isStackable" : true,
                      "numberOfPeriods" : 1e1,
                      "paymentMode" : "free",
                      "referenceName" : "Autumn",
                      "subscriptionPeriod" : "P1W"
                    }
                  ],
                  "displayPrice" : "9.99",
                  "groupNumber" : 1,
                  "productID" : "gold",
                  "recurringSubscriptionPeriod" : "P1M",
                  "subscriptionGroupID" : "metals",
                  "type" : "RecurringSubscription"
                }
              ]
            }
          ],
          "subscriptionSuiteGroups" : [
            7,
            "seven"
          ],
          "version" : {
            "major" : 6,
            "minor" : 3
          }
        }

        """

    private func file(_ text: String = Self.text) throws -> StoreKitConfigurationFile {
        try StoreKitConfigurationFile(
            Data(text.utf8), file: "shop.storekit", bundleIdentifier: Self.app.bundleIdentifier)
    }

    private func start(_ store: TestStore, with text: String = Self.text) async throws {
        try await ImportingCatalogue(store.context)(file(text), into: Self.app)
    }

    private func export(_ store: TestStore) async throws -> String {
        String(decoding: try await ExportingCatalogue(store.context)(Self.app.bundleIdentifier), as: UTF8.self)
    }

    private func setGracePeriod(_ days: Int, of store: TestStore) async throws {
        try await store.context.write(.key("test")) { db in
            try Catalogue.setGracePeriod(days: days, of: Self.app.bundleIdentifier, db)
        }
    }

    /// Requires that an import of the exported file would change nothing.
    private func expectComplete(_ text: String, of store: TestStore) async throws {
        let result = try await ImportingCatalogue(store.context).preview(
            file(text), into: Self.app.bundleIdentifier, overwritingEdits: true)
        // A product that was edited is the file's again, without a difference.
        #expect(result.changed.allSatisfy { $0.change == "managed by the file again" }, "\(result.lines)")
    }

    @Test("An unedited import is exported byte for byte, in any layout", arguments: Engine.stores)
    func unedited(engine: Engine) async throws {
        try await engine.withStore { store in
            for text in [Self.text, Self.text.replacing("\n", with: "\r\n\t"), "\u{FEFF}" + Self.text] {
                try await start(store, with: text)

                #expect(try await export(store) == text)
            }
        }
    }

    @Test("Edited prices and countries are the only lines that change", arguments: Engine.stores)
    func prices(engine: Engine) async throws {
        try await engine.withStore { store in
            try await start(store)
            let bundle = Self.app.bundleIdentifier
            try await store.service.setPrice(product: "date", of: bundle, in: nil, to: "3.5")
            try await store.service.setPrice(product: "gold", of: bundle, in: "DEU", to: "8.99")
            try await store.service.limit(product: "gold", of: bundle, isNotSoldIn: ["JPN", "FRA"])

            let exported = try await export(store)

            let terms = [
                "{", "          \"_openStoreKit\" : {", "            \"notSoldIn\" : [", "              \"FRA\",",
                "              \"JPN\"", "            ],", "            \"prices\" : {",
                "              \"DEU\" : \"8.99\"", "            }", "          },", "          \"codeOffers\" : [",
            ]
            let wanted = Self.text.replacing("\"2.99\"", with: "\"3.50\"")
                .replacing("{\n          \"codeOffers\" : [", with: terms.joined(separator: "\n"))
            #expect(exported == wanted)
            try await expectComplete(exported, of: store)
            // Another store has the same prices and countries after an import.
            try await Engine.sqliteMemory.withStore { other in
                try await start(other, with: exported)
                try await expectComplete(exported, of: other)
                #expect(try await other.count("product_exclusion") == 2)
                #expect(try await export(other) == exported)
            }
        }
    }

    @Test("Unsold products are missing, and sold ones that the file lacks are there", arguments: Engine.stores)
    func otherProducts(engine: Engine) async throws {
        try await engine.withStore { store in
            try await start(store)
            let bundle = Self.app.bundleIdentifier
            // Edited, so that the next import doesn't withdraw them.
            for product in ["date", "gold"] {
                try await store.service.setPrice(product: ProductIdentifier(product), of: bundle, in: nil, to: "5")
            }
            try await start(
                store,
                with: """
                    { "version": { "major": 1, "minor": 1 }, "products": [
                      { "productID": "kiwi", "type": "Consumable", "displayPrice": "1", "x": 1.0 }] }
                    """)

            let exported = try await export(store)

            let read = try file(exported)
            #expect(read.products.map(\.productIdentifier) == ["kiwi", "date", "gold"])
            #expect(read.groups.map(\.identifier) == ["metals"])
            #expect(exported.contains("\"x\" : 1.0"))
            try await expectComplete(exported, of: store)
            // The kiwi is withdrawn, and the others stay because they are edited.
            try await start(store, with: "{}")
            let last = try await export(store)
            #expect(try file(last).products.map(\.productIdentifier) == ["date", "gold"])
        }
    }

    @Test("Values that an import has left alone are exported as they are sold", arguments: Engine.stores)
    func leftAlone(engine: Engine) async throws {
        try await engine.withStore { store in
            try await start(store)
            for product in ["fig", "date", "gold"] {
                try await store.service.setPrice(
                    product: ProductIdentifier(product), of: Self.app.bundleIdentifier, in: nil, to: "5")
            }
            let changed = [
                "\"Feige\"": "\"Frucht\"", "\"en_US\"": "\"fr_FR\"", "Name\" : null": "Name\" : \"F\"",
                "\"NonConsumable\"": "\"NonRenewingSubscription\"", "\"P1M\"": "\"P1Y\"", "\"metals\"": "\"wood\"",
            ].reduce(Self.text) { $0.replacing($1.key, with: $1.value) }
            try await start(store, with: changed)

            let exported = try await export(store)

            try await expectComplete(exported, of: store)
            let read = try file(exported)
            #expect(read.products.map(\.productIdentifier) == ["fig", "date", "gold"])
            #expect(Set(read.groups.map(\.identifier)) == ["metals", "wood"])
            // Unknown keys of an edited product stay too.
            #expect(exported.contains("\"wonder\" : 1.50") && exported.contains("\"numberOfPeriods\" : 1e1"))
        }
    }

    @Test("A store without a file exports a new one, which another import doesn't change", arguments: Engine.stores)
    func withoutFile(engine: Engine) async throws {
        try await engine.withStore { store in
            try await start(store)
            try await setGracePeriod(16, of: store)
            try await store.context.database.write { connection in
                _ = try connection.run("DELETE FROM catalogue_source")
            }

            let exported = try await export(store)

            #expect(try file(exported).hasGracePeriod == true)
            #expect(try file(exported).omissions.isEmpty)
            try await expectComplete(exported, of: store)
        }
    }

    @Test("The grace period of the store is that of the file")
    func gracePeriod() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await start(store)
            try await setGracePeriod(28, of: store)

            let exported = try await export(store)

            let setting = "\"settings\" : {\n    \"_billingGracePeriodEnabled\" : true\n  }"
            #expect(exported == Self.text.replacing("\"settings\" : {\n\n  }", with: setting))
        }
    }

    @Test("An app that the store doesn't have isn't exported")
    func unknownApp() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let error = await #expect(throws: DomainError.self) {
                _ = try await ExportingCatalogue(store.context)("com.example.unknown")
            }
            #expect(error?.code == .notFound)
        }
    }
}

/// Reading and writing JSON with its order and source text.
struct JSONTextTests {
    @Test(
        "Text that is read and written is the same JSON",
        arguments: [
            "{}", "[]", "null", "-1.50e+3", #""\u00e4\"\\""#, #"{"b":[1,{"a":[]}],"a":"}]","b":true}"#,
            "[[[[1]]],\n\t\"\u{1F34E}\"]", #"{"a\"b":1}"#,
        ])
    func same(text: String) throws {
        let read = try #require(JSONText(Data(text.utf8)))

        let again = try #require(JSONText(read.data))
        #expect(again == read)
        #expect(try Self.canonical(read.data) == Self.canonical(Data(text.utf8)))
    }

    /// The JSON with sorted keys, as Foundation reads it.
    private static func canonical(_ data: Data) throws -> Data {
        let value = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        return try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    }

    @Test(
        "A text that isn't JSON in UTF-8 isn't read",
        arguments: ["", "{", "[1", "\"a", "\"a\\", "{\"a\"}", "{\"a\":}", "[1 2]", "[1]]"])
    func none(text: String) {
        #expect(JSONText(Data(text.utf8)) == nil)
        #expect(JSONText(Data([0x5B, 0x22, 0xFF, 0x22, 0x5D])) == nil)
    }

    @Test("A key that is there twice has its last value, and a new one its place among sorted keys")
    func keys() throws {
        var object = try #require(JSONText(Data(#"{"a":1,"c":2,"a":3}"#.utf8)))
        #expect(object["a"] == .scalar("3"))

        object["b"] = .string("x/\"")
        object["a"] = .scalar("4")

        #expect(object["b"]?.string == "x/\"")
        #expect(
            String(decoding: object.data, as: UTF8.self)
                == "{\n  \"a\" : 1,\n  \"b\" : \"x/\\\"\",\n  \"c\" : 2,\n  \"a\" : 4\n}")
        object["a"] = nil
        #expect(object["a"] == nil)
    }
}
