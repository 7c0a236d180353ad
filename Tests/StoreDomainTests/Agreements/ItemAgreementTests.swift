// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The contract of a team that sells items other than apps in production.
struct ItemAgreementTests {
    /// A team whose contract is in force, and its song for 0.99.
    private func withSong(
        _ engine: Engine,
        _ body: (_ store: TestStore, _ seller: TeamUser, _ song: Int64) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            let seller = try await store.setUpTeam("flowers", holder: "flora@example.com")
            try await store.signContract(by: seller)
            var values = Item.Values()
            (values.kind, values.version, values.link) = ("song", "1", "https://seller.example/song")
            values.price = "0.99"
            values.texts = [Product.Localization(locale: "en_US", title: "Song", description: "")]
            let song = try await store.service.registeringItem().add(values, by: seller)
            try await body(store, seller, song.identifier)
        }
    }

    /// A version that the team hasn't accepted, which is due now.
    private func replaceContract(_ store: TestStore) async throws {
        #expect(try await PublishingContract(store.context)("Sellers get 85 percent.", days: 0).number == 2)
    }

    @Test(
        "A sheet that was open when the contract ended sells no item, and the accepted contract sells it",
        arguments: Engine.stores)
    func sheet(engine: Engine) async throws {
        try await withSong(engine) { store, seller, song in
            let anna = try await store.addAccount()
            let sheet = try await store.orderItem(song, as: anna)
            try await replaceContract(store)
            let refused = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            #expect(refused.status == .failed && refused.failure?.code == .storeProductNotAvailable)
            #expect("\(String(describing: refused.failure))".contains("no contract in force"))
            guard case .refused = try await store.service.order(item: song, for: anna) else {
                Issue.record("the item is ordered without a contract")
                return
            }
            #expect(try await store.ledger().isEmpty)
            try await store.service.signingAgreements().accept(2, by: seller)
            #expect(try await store.buyItem(song, as: anna).status == .done)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("A parent's approval sells no item whose contract has ended", arguments: Engine.stores)
    func approval(engine: Engine) async throws {
        try await withSong(engine) { store, _, song in
            let child = try await store.addAccount(asksToBuy: true)
            #expect(try await store.buyItem(song, as: child).status == .deferred)
            try await replaceContract(store)
            let decided = try await store.service.approve(try await store.onlyUndecided())
            #expect(decided.status == .failed && decided.failure?.code == .storeProductNotAvailable)
            #expect(try await store.ledger().isEmpty)
        }
    }

    @Test("A promo code gives no app whose contract has ended, and keeps its use", arguments: Engine.stores)
    func code(engine: Engine) async throws {
        try await withSong(engine) { store, seller, _ in
            let values = AppRegistration.Values(
                bundleIdentifier: "com.example.flower", name: "Flower", sku: "FLOWER", primaryLocale: "en_US")
            let app = try await store.service.registeringApp()(values, by: seller).bundleIdentifier
            let number = try await store.sellApp(app, by: seller)
            let making = try store.service.makingAppCodes()
            let batch = try await making(.promoOfApp("1"), isWord: false, of: app, by: seller)
            let code = try await store.codes(of: batch, in: app, as: seller)[0]
            let anna = try await store.addAccount()
            let sheet = try await store.codeSheet(number, as: anna)
            try await replaceContract(store)
            await #expect(throws: DomainError(.notFound, "")) {
                _ = try await store.redeem(code, of: number, onSheet: sheet, as: anna)
            }
            guard case .refused = try await store.service.redemption(item: number, for: anna) else {
                Issue.record("a code can be typed without a contract")
                return
            }
            #expect(try await making.batches(of: app, as: seller).entries.map(\.batch.redemptions) == [0])
            try await store.service.signingAgreements().accept(2, by: seller)
            #expect(try await store.redeem(code, of: number, onSheet: sheet, as: anna).status == .done)
            #expect(try await store.ledger() == [0])
        }
    }

    @Test("The product of an item has the contract of the item's team", arguments: Engine.stores)
    func product(engine: Engine) async throws {
        try await withSong(engine) { store, _, song in
            let product = Item.product(of: song)
            func lacksContract() async throws -> Bool? {
                try await store.context.read { db in
                    try Catalogue.product(product, of: Item.catalogue, db)?.lacksContract
                }
            }
            #expect(try await lacksContract() == false)
            try await replaceContract(store)
            #expect(try await lacksContract() == true)
        }
    }

    @Test("A product of the items' catalogue that isn't one can be read", arguments: Engine.stores)
    func otherIdentifiers(engine: Engine) async throws {
        try await withSong(engine) { store, _, _ in
            for identifier in ["song", "12a", "", "12345678901234567890", "7"] {
                let product = Product(
                    bundleIdentifier: Item.catalogue, productIdentifier: ProductIdentifier(identifier),
                    kind: .nonConsumable, referenceName: "Other", milliunits: 990, localizations: [])
                let found = try await store.context.write(.catalogue(of: Item.catalogue)) { db in
                    try Catalogue.save(product, by: .operator, db)
                    return try Catalogue.product(product.productIdentifier, of: Item.catalogue, db)
                }
                #expect(found?.lacksContract == false, "\(identifier)")
            }
        }
    }
}
