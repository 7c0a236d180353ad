// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// A database of a version whose catalogues had no size, whose batches of codes had no number of redemptions, and which
/// lacked the indexes of sellers' shares.
struct SellerMigrationTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    @Test(
        "Products and groups of an earlier version get their bytes, and the next change counts them exactly",
        arguments: Engine.stores)
    func sizes(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let old = try await TestStore(database)
            let holder = try await old.setUpTeam()
            var values = TestStore.productValues()
            (values.exclusions, values.otherPrices) = ("DEU FRA", "JPN 100")
            for identifier in ["monthly", "weekly"] {
                try await old.registerProduct(identifier, kind: .autoRenewable, values: values, by: holder)
            }
            try await Self.addOffer("spring", to: "weekly", old, by: holder)
            try await Self.undo(
                Schema.catalogueSizes,
                [
                    "DROP INDEX product_size", "ALTER TABLE product DROP COLUMN bytes",
                    "ALTER TABLE subscription_group DROP COLUMN bytes",
                    "ALTER TABLE subscription_group DROP COLUMN edit_number",
                ], in: database)

            let store = try await TestStore(database, seed: 8)

            var sizes = try await Self.sizes(store)
            #expect(sizes.counted.count == 8 && sizes.stored.count == 8)
            // The stored form of an offer has another length than the bytes that it counts.
            let (weekly, exact) = (try #require(sizes.stored["weekly"]), try #require(sizes.counted["weekly"]))
            #expect((exact / 2...exact * 2).contains(weekly))
            sizes.stored["weekly"] = exact
            #expect(sizes.stored == sizes.counted)
            try await Self.addOffer("summer", to: "weekly", store, by: holder)
            sizes = try await Self.sizes(store)
            #expect(sizes.stored == sizes.counted)
        }
    }

    @Test("A batch of codes has the redemptions of its codes, and the next one is added", arguments: Engine.stores)
    func redemptions(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let old = try await TestStore(database)
            try await old.sellCodes()
            let codes = try await old.codes(TestStore.order("any", batch: "drawn"))
            _ = try await old.codes(TestStore.order("any", batch: "unused"))
            _ = try await old.codes(TestStore.custom("FRUIT", "any", limit: 10))
            for (account, code) in [(5, codes[0]), (6, codes[1]), (7, "FRUIT"), (8, "FRUIT"), (9, "FRUIT")] {
                #expect(try await old.subscriber(account).redeem(code).status == .done)
            }
            try await Self.undo(
                Schema.redeemedCodes, ["ALTER TABLE offer_code_batch DROP COLUMN redeemed"], in: database)

            let store = try await TestStore(database, seed: 8)

            func redemptions() async throws -> [String: Int] {
                let batches = try await ManagingCodes(store.context)(of: Self.app)
                return Dictionary(uniqueKeysWithValues: batches.map { ($0.identifier, $0.redemptions) })
            }
            #expect(try await redemptions() == ["drawn": 2, "unused": 0, "FRUIT": 3])
            // The opened store has imported the file of all tests.
            try await store.sellCodes()
            #expect(try await store.subscriber(10).redeem(codes[2]).status == .done)
            #expect(try await redemptions() == ["drawn": 3, "unused": 0, "FRUIT": 3])
        }
    }

    @Test("The indexes of sellers' shares are made for a store that has rows", arguments: Engine.stores)
    func indexes(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let old = try await TestStore(database)
            try await old.sellBaskets()
            try await old.subscriber(5).buy("weekly")
            let drops = [
                "subscription_of_app", "mass_extension_of_app", "request_undecided_of_account", "mail_order_of_team",
                "registration_image_of_app", "content_version_size", "content_upload_size", "app_upload_waiting",
            ].map { "DROP INDEX \($0)" }
            try await Self.undo(Schema.sellerShares, drops, in: database)

            let store = try await TestStore(database, seed: 8)

            try await database.write { connection in for sql in drops { _ = try connection.run(sql) } }
            #expect(try await store.count("subscription") == 1)
        }
    }

    /// Takes a migration back.
    private static func undo(_ migration: Migration, _ statements: [String], in database: any Database) async throws {
        try await database.write { connection in
            for statement in statements { _ = try connection.run(statement) }
            _ = try connection.run("DELETE FROM schema_migration WHERE name = $1", [migration.name])
        }
    }

    /// The bytes of the app's products and groups by their identifiers, as the database has them, and as they are counted.
    private static func sizes(_ store: TestStore) async throws -> (stored: [String: Int], counted: [String: Int]) {
        try await store.context.read { db in
            let state = try AppState.load(of: app, db)
            var (stored, counted): ([String: Int], [String: Int]) = ([:], [:])
            for product in state.products.map(\.product) { counted[product.productIdentifier.rawValue] = product.bytes }
            for group in state.groups { counted[group.identifier.rawValue] = group.bytes }
            let rows = try db.rows(
                """
                SELECT product_id AS id, bytes FROM product WHERE bundle_id = $1
                UNION ALL SELECT group_id, bytes FROM subscription_group WHERE bundle_id = $1
                """, [app])
            for row in rows { stored[try row.get("id")] = try row.get("bytes") }
            return (stored, counted)
        }
    }

    private static func addOffer(
        _ identifier: String, to product: ProductIdentifier, _ store: TestStore, by user: TeamUser
    ) async throws {
        var offer = OfferValues(kind: "code")
        (offer.identifier, offer.mode, offer.period, offer.eligibility) = (identifier, "free", "P1M", ["new"])
        let version = try await store.registration(product.rawValue, as: user).version
        try await store.service.registeringOffer().add(offer, to: product, of: app, version: version, by: user)
    }
}
