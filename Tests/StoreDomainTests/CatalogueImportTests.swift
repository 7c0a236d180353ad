// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Importing configuration files: their checksums, the changes, and products
/// that were edited elsewhere.
struct CatalogueImportTests {
    private static let app = App(bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier), name: "Fruit")

    /// The test catalogue with changes in its text.
    private func file(_ changes: [String: String] = [:], name: String = "test.storekit") throws
        -> StoreKitConfigurationFile
    {
        let text = changes.reduce(TestStore.catalogue) { $0.replacing($1.key, with: $1.value) }
        return try StoreKitConfigurationFile(
            Data(text.utf8), file: name, bundleIdentifier: Self.app.bundleIdentifier)
    }

    /// The test catalogue with another price of apples.
    private var dearer: StoreKitConfigurationFile {
        get throws { try file(["\"0.99\"": "\"1.29\""]) }
    }

    /// A file with one product.
    private func onlyPear() throws -> StoreKitConfigurationFile {
        try StoreKitConfigurationFile(
            Data(
                """
                { "products": [{ "productID": "pear", "type": "NonConsumable", "displayPrice": "1.99",
                  "referenceName": "Pear", "localizations": [
                    { "locale": "en_US", "displayName": "Pear", "description": "A pear" }] }] }
                """.utf8), file: "pear.storekit", bundleIdentifier: Self.app.bundleIdentifier)
    }

    private func start(_ store: TestStore, with file: StoreKitConfigurationFile, overwriting: Bool = false) async throws
        -> CatalogueImport
    {
        try await ImportingCatalogue(store.context)(
            file, into: Self.app, onlyIfChanged: true, overwritingEdits: overwriting)
    }

    @Test("The first import adds every product, with a line each", arguments: Engine.stores)
    func first(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let context = try await TestStore.context(over: database)

            let result = try await ImportingCatalogue(context)(file(), into: Self.app, onlyIfChanged: true)

            #expect(
                result.lines == [
                    "test.storekit: apple: added (Non-Consumable, 0.99).",
                    "test.storekit: pear: added (Non-Consumable, 1.99).",
                    "test.storekit: juice: added (Consumable, 0.49).",
                    "test.storekit: seed: added (Non-Consumable, 0.00).",
                ])
        }
    }

    @Test("The file is kept with its unknown keys, its checksum and the time", arguments: Engine.stores)
    func kept(engine: Engine) async throws {
        try await engine.withStore { store in
            let wonders = try file(["\"version\"": "\"wonders\" : [ 7 ], \"version\""], name: "wonders.storekit")
            store.clock.advance(by: .seconds(60))
            _ = try await start(store, with: wonders)

            let row = try await store.context.database.read { connection in
                try connection.row("SELECT name, contents, checksum, imported_at FROM catalogue_source")
            }
            let source = try #require(row)
            #expect(try source.get("name") == "wonders.storekit")
            #expect(try source.get("contents") == wonders.contents)
            #expect(String(decoding: wonders.contents, as: UTF8.self).contains("wonders"))
            #expect(try source.get("checksum") == wonders.checksum)
            #expect(try source.get("imported_at") == store.clock.now.milliseconds)
        }
    }

    @Test("A file with the checksum of the last one isn't imported again", arguments: Engine.stores)
    func unchanged(engine: Engine) async throws {
        try await engine.withStore { store in
            // A change that the import would undo.
            try await store.context.database.write { connection in
                _ = try connection.run("UPDATE product SET milliunits = 1 WHERE product_id = 'apple'")
            }
            store.clock.advance(by: .seconds(60))

            #expect(try await start(store, with: file()).lines.isEmpty)
            #expect(try await store.basePrice("apple") == 1)
            #expect(
                try await store.count("catalogue_source", where: "imported_at < \(store.clock.now.milliseconds)") == 1)
            // White space is a change of the checksum, though of no product but the changed one.
            let lines = try await start(store, with: file(["\n": "\n "])).lines
            #expect(lines == ["test.storekit: apple: changed: price from 0.001 to 0.99."])
        }
    }

    @Test("Each change of a product is named, and only changed products are edited", arguments: Engine.stores)
    func changes(engine: Engine) async throws {
        try await engine.withStore { store in
            let changed = try file([
                "\"0.99\"": "\"1.29\"", "\"Apfel\"": "\"Boskop\"", "\"A pear\"": "\"A ripe pear\"",
                "\"familyShareable\" : false, \"internalID\" : \"3\"": "\"familyShareable\" : true",
                "\"Seed\", \"type\" : \"NonConsumable\"": "\"Seed\", \"type\" : \"Consumable\"",
            ])

            #expect(
                try await start(store, with: changed).lines == [
                    "test.storekit: apple: changed: price from 0.99 to 1.29, title (de_DE).",
                    "test.storekit: pear: changed: description (en_US).",
                    "test.storekit: juice: changed: family sharing on.",
                    "test.storekit: seed: changed: type from Non-Consumable to Consumable.",
                ])

            #expect(try await store.basePrice("apple") == 1290)
            #expect(try await store.count("product", where: "edit_number = 2 AND edit_source = 'file'") == 4)
            #expect(
                try await start(store, with: file(["\"0.99\"": "\"1.29\""])).changes.map(\.productIdentifier) == [
                    "apple", "pear", "juice", "seed",
                ])
            let texts = try file([
                "\"0.99\"": "\"1.29\"", "\"locale\" : \"de_DE\"": "\"locale\" : \"fr_FR\"",
                "\"referenceName\" : \"Pear\"": "\"referenceName\" : \"Birne\"",
            ])
            #expect(
                try await start(store, with: texts).lines == [
                    "test.storekit: apple: changed: texts removed (de_DE), texts added (fr_FR).",
                    "test.storekit: pear: changed: reference name.",
                ])
        }
    }

    @Test(
        "Products that the file lacks are taken off sale, and sold again with a later file", arguments: Engine.stores)
    func withdrawn(engine: Engine) async throws {
        try await engine.withStore { store in
            let expected = ["apple", "juice", "seed"].map {
                "pear.storekit: \($0): taken off sale, because the file doesn't contain it any more."
            }
            let result = try await start(store, with: onlyPear())
            #expect(result.lines == expected)
            #expect(try await store.count("product", where: "for_sale = 1") == 1)
            #expect(try await store.count("product") == 4)

            #expect(
                try await start(store, with: file()).lines == [
                    "test.storekit: apple: changed: sold again.", "test.storekit: juice: changed: sold again.",
                    "test.storekit: seed: changed: sold again.",
                ])
        }
    }

    @Test("A price that an operator set stays, and the import's report names it", arguments: Engine.stores)
    func editedPrice(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.service.setPrice(product: "apple", of: Self.app.bundleIdentifier, in: nil, to: "5")
            try await store.service.setPrice(product: "apple", of: Self.app.bundleIdentifier, in: "DEU", to: "6")

            let result = try await start(store, with: dearer)

            #expect(
                result.lines == [
                    """
                    test.storekit: apple: left alone, because the store's operator edited it (edit 3); with \
                    --overwrite-edits it is changed: price from 5.00 to 1.29, price in DEU from 6.00 to the base price.
                    """
                ])
            #expect(result.changes.isEmpty && result.refusals.map(\.edit) == [.init(source: .operator, number: 3)])
            #expect(try await store.basePrice("apple") == 5000)
            #expect(try await store.count("product_price") == 1)
            // The same file again: not compared.
            #expect(try await start(store, with: dearer).lines.isEmpty)
        }
    }

    @Test("With the option, edited products become those of the file too", arguments: Engine.stores)
    func overwritten(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.service.setPrice(product: "apple", of: Self.app.bundleIdentifier, in: "DEU", to: "6")
            try await store.service.limit(product: "pear", of: Self.app.bundleIdentifier, isNotSoldIn: ["JPN"])

            // The file hasn't changed since its import.
            let result = try await start(store, with: file(), overwriting: true)

            #expect(
                result.lines == [
                    "test.storekit: apple: changed: price in DEU from 6.00 to the base price.",
                    "test.storekit: pear: managed by the file again.",
                ])
            #expect(try await store.count("product_price") == 0)
            // A file says nothing of countries in which a product isn't sold.
            #expect(try await store.count("product_exclusion") == 1)
            // The apple is the file's again.
            #expect(
                try await start(store, with: dearer).lines == [
                    "test.storekit: apple: changed: price from 0.99 to 1.29."
                ])
        }
    }

    @Test(
        "With the option, an edited product without differences is changed by later imports", arguments: Engine.stores)
    func takenBack(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.service.setPrice(product: "apple", of: Self.app.bundleIdentifier, in: nil, to: "1.29")

            let lines = try await start(store, with: dearer, overwriting: true).lines

            #expect(lines == ["test.storekit: apple: managed by the file again."])
            #expect(try await start(store, with: dearer, overwriting: true).lines.isEmpty)
            #expect(try await store.count("product", where: "edit_source = 'file'") == 4)
            #expect(
                try await start(store, with: file()).lines == [
                    "test.storekit: apple: changed: price from 1.29 to 0.99."
                ])
        }
    }

    @Test(
        "With the option, an edited product that is off sale is sold again with a later file", arguments: Engine.stores)
    func takenBackOffSale(engine: Engine) async throws {
        try await engine.withStore { store in
            _ = try await start(store, with: onlyPear())
            try await store.service.setPrice(product: "seed", of: Self.app.bundleIdentifier, in: nil, to: "0.10")

            let lines = try await start(store, with: onlyPear(), overwriting: true).lines

            #expect(lines == ["pear.storekit: seed: managed by the file again."])
            #expect(try await store.count("product", where: "for_sale = 1") == 1)
            let later = try await start(store, with: file())
            #expect(later.changes.map(\.productIdentifier) == ["apple", "juice", "seed"] && later.refusals.isEmpty)
            #expect(try await store.basePrice("seed") == 0)
        }
    }

    @Test("An edited product that the file lacks is sold on", arguments: Engine.stores)
    func editedAndMissing(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.service.limit(product: "apple", of: Self.app.bundleIdentifier, isNotSoldIn: ["DEU"])
            try await SettingPrice(store.context)(
                "seed", of: Self.app.bundleIdentifier, in: nil, to: "0.10", by: .seller)

            let result = try await start(store, with: onlyPear())

            #expect(result.changes.map(\.productIdentifier) == ["juice"])
            let outcome = "with --overwrite-edits it is taken off sale, because the file doesn't contain it any more."
            #expect(
                result.lines.suffix(2) == [
                    """
                    pear.storekit: apple: left alone, because the store's operator edited it (edit 2); \(outcome)
                    """,
                    "pear.storekit: seed: left alone, because its seller edited it (edit 2); \(outcome)",
                ])
            #expect(try await store.count("product", where: "for_sale = 1") == 3)

            #expect(try await start(store, with: onlyPear(), overwriting: true).changes.count == 2)
            #expect(try await store.count("product", where: "for_sale = 1") == 1)
        }
    }

    @Test("An edited product that is the same in the file has no line", arguments: Engine.stores)
    func editedAlike(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.service.setPrice(product: "apple", of: Self.app.bundleIdentifier, in: nil, to: "1.29")

            #expect(try await start(store, with: dearer).lines.isEmpty)
            #expect(try await store.basePrice("apple") == 1290)
        }
    }

    @Test("An import that fails halfway changes nothing, and is made whole later", arguments: Engine.stores)
    func failing(engine: Engine) async throws {
        try await engine.withStore { store in
            var broken = try dearer
            // A price below zero, which no file can have, violates a constraint of the second product.
            broken.products[1].milliunits = -1
            await #expect(throws: DatabaseError.self) { try await start(store, with: broken) }

            #expect(try await store.basePrice("apple") == 990)
            #expect(try await start(store, with: dearer).changes.map(\.productIdentifier) == ["apple"])
        }
    }

    @Test("Two nodes that start with the same new file import it once, and whole", arguments: Engine.stores)
    func startingTogether(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            for round in 1...10 {
                let catalogue = try file(["\"0.99\"": "\"\(round).99\"", "\"0.49\"": "\"\(round).49\""])
                let results = try await withThrowingTaskGroup(of: CatalogueImport.self) { group in
                    for number in 0..<4 { group.addTask { try await start(nodes[number], with: catalogue) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }

                #expect(results.filter { !$0.lines.isEmpty }.map(\.changes.count) == [2])
                #expect(try await nodes.first.basePrice("apple") == Int64(round) * 1000 + 990)
                #expect(try await nodes.first.basePrice("juice") == Int64(round) * 1000 + 490)
                #expect(
                    try await nodes.first.count(
                        "product", where: "product_id IN ('apple', 'juice') AND edit_number = \(round + 1)") == 2)
            }
        }
    }

    @Test("Two nodes that start with the same file on an empty store import it once", arguments: Engine.stores)
    func openingTogether(engine: Engine) async throws {
        try await engine.withTwoDatabases { one, other in
            let clock = TestClock()
            async let first = TestStore(one, clock: clock, seed: 7)
            async let second = TestStore(other, clock: clock, seed: 8)
            let stores = try await (first, second)

            #expect(try await stores.0.count("product", where: "edit_number = 1") == 4)
            #expect(try await stores.1.count("catalogue_source") == 1)
        }
    }

    @Test("A copied store has the file and the edits, and imports neither again", arguments: Engine.stores)
    func copied(engine: Engine) async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.service.setPrice(product: "apple", of: Self.app.bundleIdentifier, in: "DEU", to: "6")
            try await engine.withDatabase(hasTables: true) { target in
                let tables = try await CopyingStore(from: store.context.database, to: target)(now: store.clock.now)
                #expect(tables.first { $0.table == "catalogue_source" }?.rows == 1)

                let moved = try await TestStore(target, seed: 8)
                #expect(try await moved.count("product_price") == 1)
                #expect(try await start(moved, with: dearer).refusals.map(\.edit.source) == [.operator])
            }
        }
    }
}

extension TestStore {
    /// The price of a product without a storefront's own, in thousandths.
    func basePrice(_ product: String) async throws -> Int64? {
        try await context.database.read { connection in
            try connection.row("SELECT milliunits FROM product WHERE product_id = $1", [product])?.get("milliunits")
        }
    }
}
