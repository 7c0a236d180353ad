// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase
import StoreMeasurement
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The most texts, prices, languages and groups of an app.
struct CatalogueLimitTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    /// A consumable with a text of a length in some languages.
    private static func registration(_ identifier: String, languages: Range<Int>, length: Int) -> ProductRegistration {
        let text = String(repeating: "x", count: length)
        let product = Product(
            bundleIdentifier: app, productIdentifier: ProductIdentifier(identifier), kind: .consumable,
            referenceName: "P", milliunits: 990,
            localizations: languages.map { Product.Localization(locale: "l\($0)", title: text, description: text) })
        return ProductRegistration(product: product, hasPrice: true, isCleared: true, review: .prepared, version: 1)
    }

    private static func state(_ products: [ProductRegistration], groups: Int = 0) -> AppState {
        let groups = (0..<groups).map { number in
            SubscriptionGroup(
                bundleIdentifier: app, identifier: SubscriptionGroupIdentifier("g\(number)"), referenceName: "G")
        }
        return AppState(products: products, groups: groups, gracePeriodDays: 0, keys: [])
    }

    private static func file(_ json: String) throws -> StoreKitConfigurationFile {
        try StoreKitConfigurationFile(Data(json.utf8), file: "a.storekit", bundleIdentifier: app)
    }

    private static func problems(_ json: String, over state: AppState) throws -> [String] {
        AppFileDiff(of: try file(json), over: state, taken: [], withdraws: false).problems.map {
            "\($0.kind.rawValue) \($0.limit ?? 0)"
        }
    }

    private static func product(_ identifier: String, languages: Range<Int>, length: Int) -> String {
        let text = String(repeating: "y", count: length)
        let texts = languages.map { #"{"locale": "l\#($0)", "displayName": "\#(text)", "description": "\#(text)"}"# }
        return #"{"productID": "\#(identifier)", "type": "Consumable", "displayPrice": "0.99", "referenceName": "P", "#
            + #""localizations": [\#(texts.joined(separator: ", "))]}"#
    }

    @Test("A file after which an app has too many bytes isn't imported, and one that shortens texts is")
    func bytes() throws {
        // Fifty languages with both texts of a thousand characters: about 100 KB a product.
        let full = Self.state((0..<161).map { Self.registration("p\($0)", languages: 0..<50, length: 1000) })
        #expect((16 << 20) - full.bytes < 200_000 && full.bytes < 16 << 20)
        func file(_ identifiers: [String], length: Int) -> String {
            let products = identifiers.map { Self.product($0, languages: 0..<50, length: length) }
            return "{\"products\": [\(products.joined(separator: ", "))]}"
        }
        #expect(try Self.problems(file(["new1"], length: 1000), over: full).isEmpty)
        #expect(try Self.problems(file(["new1", "new2", "new3"], length: 1000), over: full) == ["too-large 16"])
        // An operator's import may have made it larger.
        let larger = Self.state((0..<200).map { Self.registration("p\($0)", languages: 0..<50, length: 1000) })
        #expect(try Self.problems(file(["p1"], length: 10), over: larger).isEmpty)
        #expect(try Self.problems(file(["p1", "new1"], length: 1000), over: larger) == ["too-large 16"])

        let table = TableDiff(
            of: "product_id,\((0..<3).map { "name:l\($0),description:l\($0)" }.joined(separator: ","))\n"
                + "small\(String(repeating: ",z", count: 6))\n",
            over: Self.state(larger.products + [Self.registration("small", languages: 0..<2, length: 1)]))
        #expect(table.problems.map(\.kind) == [.tooLarge])
    }

    @Test("An app has at most a hundred languages, and a table at most the columns that are read again")
    func languages() throws {
        let state = Self.state([
            Self.registration("p0", languages: 0..<50, length: 1),
            Self.registration("p1", languages: 50..<99, length: 1),
        ])
        let one = "{\"products\": [\(Self.product("p2", languages: 99..<100, length: 1))]}"
        #expect(try Self.problems(one, over: state).isEmpty)
        let two = "{\"products\": [\(Self.product("p2", languages: 99..<101, length: 1))]}"
        #expect(try Self.problems(two, over: state) == ["too-many-languages 100"])

        let many = Self.state(
            (0..<10).map { Self.registration("p\($0)", languages: $0 * 50..<$0 * 50 + 50, length: 1) })
        let text = ProductTable.text(of: many.products)
        #expect(try CSVText.records(of: text)[0].cells.count <= CSVText.mostColumns)
        let diff = TableDiff(of: text, over: many)
        #expect(diff.isEmpty && diff.problems.isEmpty)
    }

    @Test("An app has at most a thousand groups")
    func groups() throws {
        let file = #"{"subscriptionGroups": [{"id": "new", "name": "New", "localizations": [], "subscriptions": []}]}"#
        #expect(try Self.problems(file, over: Self.state([], groups: 999)).isEmpty)
        #expect(try Self.problems(file, over: Self.state([], groups: 1000)) == ["too-many-groups 1000"])
        let known = file.replacing("\"new\"", with: "\"g1\"")
        #expect(try Self.problems(known, over: Self.state([], groups: 1001)).isEmpty)
    }

    @Test("The database has the bytes of the catalogue after each kind of change", arguments: Engine.stores)
    func stored(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            func expectSameBytes(_ comment: Comment) async throws {
                let (stored, counted) = try await store.context.read { db in
                    (try AppCatalogue.bytes(of: Self.app, db), try AppState.load(of: Self.app, db).bytes)
                }
                #expect(stored == counted, comment)
            }
            try await expectSameBytes("the operator's file")
            var values = TestStore.productValues()
            values.exclusions = "DEU FRA"
            values.otherPrices = "JPN 100"
            try await store.registerProduct("monthly", kind: .autoRenewable, values: values, by: holder)
            var offer = OfferValues(kind: "code")
            (offer.identifier, offer.mode, offer.period, offer.eligibility) = ("spring", "free", "P1M", ["new"])
            let version = try await store.registration("monthly", as: holder).version
            try await store.service.registeringOffer().add(
                offer, to: "monthly", of: Self.app, version: version, by: holder)
            try await expectSameBytes("a subscription with an offer")
            let editing = try store.service.editingTable()
            try await editing.upload(
                Data("product_id,name:de_DE,description:de_DE,price:DEU\napple,Ä,Ö,1.19".utf8), named: "a.csv",
                to: Self.app, by: holder)
            let waiting = try #require(try await editing.waiting(of: Self.app, as: holder))
            try await editing(of: Self.app, version: waiting.diff.version, by: holder)
            try await expectSameBytes("a table")
        }
    }

    @Test(
        "An app without room refuses a product, a text, an offer and a price, and takes shorter texts",
        arguments: Engine.stores)
    func full(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(by: holder)
            try await store.context.database.write(.all) { connection in
                _ = try connection.run("UPDATE product SET bytes = 16777216 WHERE product_id = 'juice'", [])
            }
            func refusal(_ body: () async throws -> Void) async -> DomainError? {
                do { try await body() } catch { return error as? DomainError }
                return nil
            }
            let banana = try await store.registration("banana", as: holder)
            let products = try store.service.registeringProduct()
            let refusals = [
                await refusal { try await store.registerProduct("kiwi", by: holder) },
                await refusal {
                    let longer = TestStore.productValues(title: "Long banana")
                    try await products.change("banana", of: Self.app, to: longer, version: banana.version, by: holder)
                },
                await refusal {
                    var offer = OfferValues(kind: "code")
                    (offer.identifier, offer.mode) = ("spring", "free")
                    try await store.service.registeringOffer().add(
                        offer, to: "banana", of: Self.app, version: banana.version, by: holder)
                },
                await refusal {
                    var price = PriceValues()
                    (price.price, price.country) = ("9.99", "DEU")
                    try await store.service.pricingProduct().schedule(
                        price, of: "banana", in: Self.app, version: "", by: holder)
                },
            ]
            #expect(refusals.map(\.?.code) == Array(repeating: .invalid, count: 4))
            #expect(refusals.map(\.?.reason) == Array(repeating: .catalogueFull, count: 4))
            let shorter = TestStore.productValues(title: "Ban")
            try await products.change("banana", of: Self.app, to: shorter, version: banana.version, by: holder)
            #expect(try await store.registration("banana", as: holder).product.localizations[0].title == "Ban")
        }
    }

    @Test(
        "A subscription of an app with a thousand groups joins one of them, whose texts aren't read",
        arguments: Engine.stores)
    func fullOfGroups(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database)
            let store = try await TestStore(recorder)
            let holder = try await store.setUpTeam()
            try await store.registerProduct("monthly", kind: .autoRenewable, by: holder)
            try await store.context.database.write(.all) { connection in
                _ = try connection.run(
                    """
                    WITH RECURSIVE series (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM series WHERE i < 999)
                    INSERT INTO subscription_group (bundle_id, group_id, reference_name)
                    SELECT $1, 'copy' || i, 'copy' || i FROM series
                    """, [TestStore.bundleIdentifier])
            }
            await #expect(throws: SubscriptionGroup.full) {
                try await store.registerProduct("weekly", kind: .autoRenewable, by: holder)
            }
            var new = NewProduct(
                kind: Product.Kind.autoRenewable.rawValue, identifier: "weekly", values: TestStore.productValues())
            (new.group, new.period) = ("copy7", "P1W")
            let weekly = new
            let transactions = try await recorder.transactions {
                _ = try await store.service.registeringProduct()(weekly, in: Self.app, by: holder)
                #expect(try await store.service.appReader.groups(of: Self.app, as: holder).count == 1000)
            }
            let reads = transactions.flatMap(\.statements).filter {
                $0.sql.contains("FROM subscription_group_localization")
            }
            #expect(reads.isEmpty)
            #expect(try await store.registration("weekly", as: holder).product.plan?.group == "copy7")
        }
    }
}
