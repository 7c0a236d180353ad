// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Items that aren't sold yet: before the first version of an app, and before
/// the first day.
struct ItemHoldTests {
    private static let day: Int64 = 86_400_000

    /// A song of a team, and its values.
    private func withSong(
        _ engine: Engine,
        _ body: (_ store: TestStore, _ holder: TeamUser, _ song: Int64, _ values: Item.Values) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database)
            let holder = try await store.setUpTeam()
            var values = Item.Values()
            (values.kind, values.version, values.link) = ("song", "1", "https://seller.example/song")
            values.price = "0.99"
            values.texts = [Product.Localization(locale: "en_US", title: "Song", description: "")]
            let song = try await store.service.registeringItem().add(values, by: holder)
            try await body(store, holder, song.identifier, values)
        }
    }

    /// The day after tomorrow.
    private func laterDay(_ store: TestStore) -> String {
        CivilDate(dayNumber: Int(store.clock.now.milliseconds / Self.day) + 2).text
    }

    @Test("A sheet that was open before the item got a first day sells it from that day on", arguments: Engine.stores)
    func sheet(engine: Engine) async throws {
        try await withSong(engine) { store, holder, song, values in
            let anna = try await store.addAccount()
            let sheet = try await store.orderItem(song, as: anna)
            var later = values
            later.firstDay = laterDay(store)
            try await store.service.registeringItem().change(song, to: later, edits: 0, by: holder)
            let refused = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            #expect(refused.status == .failed && refused.failure?.code == .storeProductNotAvailable)
            guard case .refused = try await store.service.order(item: song, for: anna) else {
                Issue.record("the item is ordered before its first day")
                return
            }
            #expect(try await store.ledger().isEmpty)
            store.clock.advance(by: .milliseconds(2 * Self.day))
            #expect(try await store.buyItem(song, as: anna).status == .done)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("A parent's approval sells no item before its first day", arguments: Engine.stores)
    func approval(engine: Engine) async throws {
        try await withSong(engine) { store, holder, song, values in
            let child = try await store.addAccount(asksToBuy: true)
            #expect(try await store.buyItem(song, as: child).status == .deferred)
            var later = values
            later.firstDay = laterDay(store)
            try await store.service.registeringItem().change(song, to: later, edits: 0, by: holder)
            let decided = try await store.service.approve(try await store.onlyUndecided())
            #expect(decided.status == .failed && decided.failure?.code == .storeProductNotAvailable)
            #expect(try await store.ledger().isEmpty)
        }
    }

    /// A team's app with a store page, whose number is the result.
    private func saveStorePage(_ store: TestStore, _ app: BundleIdentifier, by holder: TeamUser) async throws -> Int64 {
        var values = Item.Values()
        (values.link, values.tier) = ("https://seller.example/fruit", "1")
        values.texts = [Product.Localization(locale: "en_US", title: "Fruit", description: "")]
        try await store.service.registeringStorePage().save(values, of: app, version: 0, by: holder)
        return try #require(try await store.service.storePageReader(of: app, as: holder).item).identifier
    }

    @Test("The product of an app isn't offered before the first version is released", arguments: Engine.stores)
    func unreleased(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database)
            let holder = try await store.setUpTeam()
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            let number = try await saveStorePage(store, app, by: holder)
            func isOffered() async throws -> Bool? {
                try await store.context.read { db in
                    try Catalogue.product(Item.product(of: number), of: Item.catalogue, db)?.isOffered
                }
            }
            #expect(try await isOffered() == false)
            let versions = try store.service.registeringVersion()
            try await versions.add("1.0", to: app, by: holder)
            #expect(try await isOffered() == false)
            try await versions.release("1.0", of: app, by: holder)
            #expect(try await isOffered() == true)
        }
    }

    /// The file of an operator that names no version.
    private func addItem(_ number: Int64, _ app: BundleIdentifier, to store: TestStore) async throws -> Item {
        let item = try Item(
            identifier: number, kind: .app, app: app, seller: "Fruit Records", version: "1.0",
            link: "https://seller.example/fruit", price: "1.99", prices: [:], notSoldIn: [],
            texts: [.init(locale: "en_US", title: "Fruit", description: "")])
        let gallery = try ItemGallery(icon: nil, screenshots: [])
        return try await AddingItem(store.context)(item, keepsVersion: true, gallery)
    }

    @Test("A file without a version leaves the team's version as it is", arguments: Engine.stores)
    func keptVersion(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database)
            let holder = try await store.setUpTeam()
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            let number = try await saveStorePage(store, app, by: holder)
            #expect(try await addItem(number, app, to: store).version.isEmpty)
            let versions = try store.service.registeringVersion()
            try await versions.add("2.0", to: app, by: holder)
            try await versions.release("2.0", of: app, by: holder)
            #expect(try await addItem(number, app, to: store).version == "2.0")
            #expect(try await versions.version("2.0", of: app, as: holder).state == .ready)
            #expect(try await versions.page(of: app, as: holder).entries.count == 1)

            try await store.addItem(1001, app: BundleIdentifier("com.example.later"), version: "3.1")
            let other = BundleIdentifier("com.example.other")
            #expect(try await addItem(1001, other, to: store).version == "1.0")
        }
    }

    @Test("The version that an app's item has is released when its team adds it", arguments: Engine.stores)
    func soldVersion(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database)
            let app = BundleIdentifier("com.example.later")
            try await store.addItem(1001, app: app, version: "3.1")
            let holder = try await store.setUpTeam()
            let values = AppRegistration.Values(
                bundleIdentifier: app.rawValue, name: "Later", sku: "LATER", primaryLocale: "en_US")
            let registered = try await store.service.registeringApp()(values, by: holder)
            #expect(registered.appleIdentifier == 1001)
            let versions = try store.service.registeringVersion()
            #expect(try await versions.add("3.1", to: app, by: holder).state == .ready)
            #expect(try await versions.add("3.2", to: app, by: holder).state == .prepared)
        }
    }
}
