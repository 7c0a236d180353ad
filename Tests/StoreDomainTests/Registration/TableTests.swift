// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Tables of prices and texts that teams edit.
struct TableTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    private func upload(_ text: String, _ store: TestStore, _ user: TeamUser) async throws -> TableDiff {
        let editing = try store.service.editingTable()
        try await editing.upload(Data(text.utf8), named: "prices.csv", to: Self.app, by: user)
        return try #require(try await editing.waiting(of: Self.app, as: user)).diff
    }

    private func table(_ store: TestStore, _ user: TeamUser) async throws -> String {
        String(decoding: try await store.service.editingTable().contents(of: Self.app, as: user), as: UTF8.self)
    }

    @Test("The downloaded table changes nothing; an edited one saves all of its cells", arguments: Engine.stores)
    func whole(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let phone = try await store.addDevice()
            try await store.registerProduct(values: TestStore.productValues("=Banana", title: "-Banana"), by: holder)
            let text = try await table(store, holder)
            #expect(text.contains("'=Banana") && text.contains("'-Banana") && text.contains("'A red") == false)
            let same = try await upload(text, store, holder)
            #expect(same.isEmpty && same.problems.isEmpty)

            let edited = """
                product_id;price;price:DEU;name:de_DE;description:de_DE;name:fr_FR;description:fr_FR
                apple;1,29;1,19;;;Pomme;'=une pomme
                banana;0.00;;;;;
                """
            let shown = try await upload(edited, store, holder)
            #expect(shown.problems.isEmpty)
            let lines = shown.changes.map { change in
                change.values.map { "\($0.name.code): \($0.before ?? "-")>\($0.after ?? "-")" }.joined(separator: ", ")
            }
            #expect(
                lines == [
                    "price: 0.99>1.29, price in DEU: ->1.19, display name de_DE: Apfel>-, "
                        + "description de_DE: Ein roter Apfel>-, display name fr_FR: ->Pomme, "
                        + "description fr_FR: ->=une pomme", "price: 0.99>0.00",
                ])
            try await store.service.editingTable()(of: Self.app, version: shown.version, by: holder)
            let apple = try await store.registration("apple", as: holder).product
            #expect(apple.prices == ["DEU": 1190] && apple.localizations.map(\.locale) == ["en_US", "fr_FR"])
            #expect(apple.localizations.last?.description == "=une pomme")
            let answer = try await phone.call(
                ProductsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: ["apple", "banana"],
                    languages: ["fr_FR"]))
            #expect(answer.products.map(\.milliunits).sorted() == [0, 1290])
            let log = try await store.service.teamReader.changes(containing: "prices.csv", as: holder).entries
            #expect(log.map(\.kind) == [.tableImported])
        }
    }

    @Test("Cells that can't be saved are named by line and column, and nothing is saved", arguments: Engine.stores)
    func problems(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.registerProduct("monthly", kind: .autoRenewable, by: holder)
            func found(_ text: String) async throws -> [String] {
                try await upload(text, store, holder).problems.map {
                    "\($0.line) \($0.column ?? "-") \($0.kind.rawValue)"
                }
            }
            let long = String(repeating: "x", count: 36)
            let cells = try await found(
                """
                product_id,reference_name,price,price:DEU,name:en_US
                apple,,free,1.19,\(long)
                kiwi,Kiwi,1.00,,
                apple,Apple,1.00,,
                ,x,,,
                pear,Pear,,-1,A\u{7}
                monthly,M,5.00,,Banana
                juice,Juice,0.49,,Juice,too many
                """)
            #expect(
                cells == [
                    "2 reference_name missing", "2 price price", "2 name:en_US too-long",
                    "3 product_id unknown-product",
                    "4 product_id repeated-product", "5 product_id missing", "6 price missing", "6 price:DEU price",
                    "6 name:en_US malformed", "7 price fixed-price", "8 - extra-cells",
                ])
            #expect(try await found("price:XXX,name:xx,price,price\n1,2,3,4").count == 4)
            #expect(try await found("\"x") == ["1 - open-quote"])
            let version = try #require(try await store.service.editingTable().waiting(of: Self.app, as: holder)).diff
                .version
            await #expect(throws: DomainError.self) {
                try await store.service.editingTable()(of: Self.app, version: version, by: holder)
            }
            #expect(try await store.registration("apple", as: holder).product.milliunits == 990)
        }
    }

    @Test("A table isn't saved over another user's change, and the new differences are shown", arguments: Engine.stores)
    func changed(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let shown = try await upload("product_id,price\napple,1.29\npear,2.29", store, holder)
            try await SettingPrice(store.context)("pear", of: Self.app, in: nil, to: "5.00")
            let editing = try store.service.editingTable()
            await #expect(throws: DomainError.changed) {
                try await editing(of: Self.app, version: shown.version, by: holder)
            }
            #expect(try await store.registration("apple", as: holder).product.milliunits == 990)
            let now = try #require(try await editing.waiting(of: Self.app, as: holder)).diff
            try await editing(of: Self.app, version: now.version, by: holder)
            #expect(try await store.registration("pear", as: holder).product.milliunits == 2290)
        }
    }

    @Test("A process that dies at any step has saved the whole table or nothing of it", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in ["upload:before", "upload:after", "table:before", "upload:compared", "table:after"] {
            try await engine.withDatabase(hasTables: true) { database in
                let mortal = MortalDatabase(database)
                let dying = try await TestStore(mortal, faults: { if $0 == step { mortal.die() } })
                let holder = try await dying.setUpTeam()
                let text = "product_id,price\napple,1.29\npear,2.29"
                if let shown = try? await upload(text, dying, holder) {
                    try? await dying.service.editingTable()(of: Self.app, version: shown.version, by: holder)
                }
                #expect(mortal.isDead, "\(step) wasn't reached")
                let store = try await TestStore(database, seed: 8)
                let prices = [
                    try await store.registration("apple", as: holder).product.milliunits,
                    try await store.registration("pear", as: holder).product.milliunits,
                ]
                #expect(prices == (step == "table:after" ? [1290, 2290] : [990, 1990]), "\(step)")
            }
        }
    }

    @Test("A table that is saved twice has its effect once", arguments: Engine.stores)
    func twice(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(Forgetful(database))
            let holder = try await store.setUpTeam()
            let shown = try await upload("product_id,price\napple,1.29", store, holder)
            let editing = try store.service.editingTable()
            try await editing(of: Self.app, version: shown.version, by: holder)
            try await editing(of: Self.app, version: shown.version, by: holder)
            let log = try await store.service.teamReader.changes(as: holder).entries.map(\.kind)
            #expect(log == [.tableImported, .teamSetUp])
        }
    }
}
