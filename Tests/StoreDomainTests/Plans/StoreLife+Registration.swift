// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

extension StoreLife {
    /// A team registers apps and products, which the operator reviews.
    func register(as holder: TeamUser) async throws {
        let (service, app) = (store.service, BundleIdentifier(TestStore.bundleIdentifier))
        let registering = try service.registeringApp()
        _ = try await registering(
            AppRegistration.Values(
                bundleIdentifier: "com.example.basket", name: "Basket", sku: "1", primaryLocale: "en_US"), by: holder)
        try await registering.change(
            app, to: AppRegistration.Change(name: "Fruit Shop", state: nil), version: 0, by: holder)
        await #expect(throws: InvalidFields.self) {
            try await registering.change(
                app, to: AppRegistration.Change(name: nil, state: "removed"), version: 1, by: holder)
        }
        try await store.registerProduct("basket.subscription", kind: .autoRenewable, by: holder)
        try await store.registerProduct("basket.banana", by: holder)
        try await store.addScreenshot(of: "basket.banana", by: holder)
        let products = try service.registeringProduct()
        try await products.change(
            "basket.banana", of: app, to: TestStore.productValues(tier: "2"), version: 1, by: holder)
        let changed = try await store.registration("basket.banana", as: holder)
        try await products.submit("basket.banana", of: app, version: changed.version, by: holder)
        let reviewing = ReviewingProducts(store.context)
        let queue = try await reviewing.queue()
        #expect(queue.map(\.product) == ["basket.banana"])
        try await reviewing.decide(.approve, on: "basket.banana", of: app)
        try await promote("basket.banana", of: app, as: holder)
        try await host("basket.banana", of: app, as: holder)
        try await sellSong(as: holder)
        try await keepStorePage(of: "com.example.basket", as: holder)
        let reader = service.appReader
        for sort in AppSort.allCases { _ = try await reader.apps(by: sort, as: holder) }
        for sort in ProductSort.allCases { _ = try await reader.products(of: app, by: sort, as: holder) }
        _ = try await reader.groups(of: app, as: holder)
        try await importFiles(of: app, as: holder)
        try await setAddresses(of: app, as: holder)
    }

    /// A team sets the addresses of an app's servers.
    private func setAddresses(of app: BundleIdentifier, as holder: TeamUser) async throws {
        let registering = try store.service.registeringAddresses()
        func values(_ path: String) -> AddressValues {
            AddressValues(url: "https://seller.example/\(path)", version: "2", environment: "Sandbox")
        }
        try await registering.add(values("a"), of: app, by: holder)
        try await registering.change("https://seller.example/a", in: .sandbox, to: values("b"), of: app, by: holder)
        try await registering.sendTest(of: app, by: holder)
        #expect(try await registering(of: app, as: holder).test != nil)
        try await registering.remove("https://seller.example/b", in: .sandbox, of: app, by: holder)
        let service = store.service
        try await service.makeSharedSecret(.master, version: "", of: app, by: holder)
        #expect(try await service.acceptedSecrets(for: app).master != nil)
        #expect(try await service.sharedSecrets(of: app, as: holder).app == nil)
    }

    /// A team imports a file, and discards another one.
    private func importFiles(of app: BundleIdentifier, as holder: TeamUser) async throws {
        let importing = try store.service.importingAppFile()
        for name in ["sapling", "seedling"] {
            let file = """
                { "products" : [ { "displayPrice" : "1", "familyShareable" : false, "internalID" : "1",
                  "productID" : "\(name)", "referenceName" : "\(name)", "type" : "Consumable", "localizations" : [
                    { "description" : "A tree", "displayName" : "Tree", "locale" : "en_US" } ] } ],
                  "version" : { "major" : 2, "minor" : 0 } }
                """
            try await importing.upload(Data(file.utf8), named: "a.storekit", withdraws: false, to: app, by: holder)
            let waiting = try #require(try await importing.waiting(of: app, as: holder))
            guard name == "sapling" else { break }
            try await importing(of: app, version: waiting.diff.version, by: holder)
        }
        try await importing.discard(of: app, by: holder)
        _ = try await importing.contents(of: app, as: holder)
        let editing = try store.service.editingTable()
        _ = try await editing.contents(of: app, as: holder)
        let table = "product_id,price\nbasket.banana,3.33\n"
        try await editing.upload(Data(table.utf8), named: "a.csv", to: app, by: holder)
        let waiting = try #require(try await editing.waiting(of: app, as: holder))
        try await editing(of: app, version: waiting.diff.version, by: holder)
        try await editing.discard(of: app, by: holder)
        try await offer(in: app, as: holder)
    }

    /// A team adds an offer, makes codes for it, and revokes them.
    private func offer(in app: BundleIdentifier, as holder: TeamUser) async throws {
        let offers = try store.service.registeringOffer()
        var values = OfferValues(kind: "code")
        (values.identifier, values.mode) = ("spring", "free")
        let banana = try await store.registration("basket.banana", as: holder)
        try await offers.add(values, to: "basket.banana", of: app, version: banana.version, by: holder)
        var codes = CodeValues()
        (codes.product, codes.offer, codes.name, codes.count) = ("basket.banana", "spring", "Spring", "3")
        let making = try store.service.makingAppCodes()
        let batch = try await making(codes, isWord: false, of: app, by: holder)
        try await making.complete(batch, of: app, by: holder)
        _ = try await making.batches(of: app, as: holder)
        _ = try await making.contents(of: batch, of: app, as: holder)
        try await making.revoke(batch, of: app, by: holder)
        let pricing = try store.service.pricingProduct()
        var price = PriceValues()
        (price.price, price.country) = ("9.99", "DEU")
        try await pricing.schedule(price, of: "basket.banana", in: app, version: "", by: holder)
        let scheduled = try await pricing.prices(of: "basket.banana", in: app, as: holder).scheduled
        let change = try #require(scheduled.first).identifier
        try await pricing.cancel(change, of: "basket.banana", in: app, by: holder)
    }

    /// A seller signs the operator's contract.
    func sign(as holder: TeamUser) async throws {
        let (signing, publishing) = (try store.service.signingAgreements(), PublishingContract(store.context))
        let contract = try await publishing("Sellers get 70 percent.", days: 0)
        try await signing.accept(contract.number, by: holder)
        try await signing.setBank(
            Payee.BankValues(holder: "Basket", iban: "DE89370400440532013000", bic: ""), version: 0, by: holder)
        try await signing.setTax(
            Payee.TaxValues(legalName: "Basket", address: "A street", country: "DEU", number: "12345"), version: 1,
            by: holder)
        _ = try await signing.contract(contract.number, as: holder)
        _ = try await publishing.newest()
        _ = try await publishing.teams()
    }

    /// A product gets its images, is promoted, and is shown to the reviewer.
    private func promote(_ product: ProductIdentifier, of app: BundleIdentifier, as holder: TeamUser) async throws {
        let (images, promoting) = (try store.service.registeringImage(), try store.service.arrangingPromotions())
        try await store.addScreenshot(of: product.rawValue, by: holder)
        let image = TestImage.png(width: 1024, height: 1024)
        for (purpose, owner) in [(RegistrationImage.Purpose.icon, nil), (.promotion, product)] {
            try await images(image, for: purpose, of: owner, in: app, by: holder)
        }
        let before = try await promoting.list(of: app, as: holder).map(\.promoted).summary
        try await promoting(.add, product, of: app, before: before, by: holder)
        let after = try await promoting.list(of: app, as: holder).map(\.promoted).summary
        try await promoting(.remove, product, of: app, before: after, by: holder)
        let saved = try await images.all(of: product, in: app, as: holder)
        let digest = try #require(saved[.review]?.digest)
        _ = try await images.bytes(of: digest, product: product, in: app, as: holder)
        var delayed = store.context
        delayed.propagation = Propagation(production: .seconds(60), sandbox: .seconds(60))
        let version = try await store.registration(product.rawValue, as: holder).version
        try await RegisteringProduct(delayed).change(
            product, of: app, to: TestStore.productValues(tier: "4"), version: version, by: holder)
        try await delayed.read { db in
            #expect(try RegistrationImage.publicBytes(of: digest, in: app, db) == nil)
            _ = try Catalogue.products([product, "apple"], of: app, db)
        }
        #expect(try await ReadingApps(delayed).arrivals(of: product, in: app, as: holder).count == 2)
        _ = try await ReviewingProducts(store.context).submission(of: product, in: app, withScreenshot: true)
        try await images.remove(.promotion, of: product, in: app, by: holder)
        let reviewing = ReviewingProducts(store.context)
        for sort in ReviewSort.allCases {
            _ = try await reviewing.page(containing: "", state: "", by: sort, after: nil, as: holder)
        }
        _ = try await reviewing.submission(of: product, in: app, as: holder)
        _ = try await reviewing.screenshot(digest, of: product, in: app, as: holder)
    }

    /// A team registers an item, changes it, and sets and removes its image.
    private func sellSong(as holder: TeamUser) async throws {
        let items = try store.service.registeringItem()
        var values = Item.Values()
        (values.kind, values.version, values.link, values.price) = ("song", "1", "https://seller.example/song", "1")
        values.texts = [Product.Localization(locale: "en_US", title: "Song", description: "")]
        let item = try await items.add(values, by: holder)
        values.version = "2"
        try await items.change(item.identifier, to: values, edits: 0, by: holder)
        try await items.setImage(TestImage.png(width: 64, height: 64), at: nil, of: .item(item.identifier), by: holder)
        try await items.removeImage(at: 1, of: .item(item.identifier), by: holder)
        for sort in ItemSort.allCases {
            #expect(try await items.page(by: sort, as: holder).entries.map(\.identifier).contains(item.identifier))
        }
        #expect(try await items.page(containing: "song", as: holder).entries.map(\.name) == ["Song"])
        #expect(try await items.item(item.identifier, as: holder).item.version == "2")
    }

    /// A team saves the store page of an app, and releases a version of it.
    private func keepStorePage(of app: BundleIdentifier, as holder: TeamUser) async throws {
        let (service, versions) = (store.service, try store.service.registeringVersion())
        var values = Item.Values()
        (values.link, values.tier) = ("https://seller.example/basket", "1")
        values.texts = [Product.Localization(locale: "en_US", title: "Basket", description: "")]
        try await service.registeringStorePage().save(values, of: app, version: 0, by: holder)
        for version in ["1.0", "1.1"] { try await versions.add(version, to: app, by: holder) }
        try await versions.release("1.0", of: app, by: holder)
        try await versions.remove("1.1", of: app, by: holder)
        #expect(try await service.versionReader.page(of: app, as: holder).entries.map(\.version) == ["1.0"])
        #expect(try await service.versionReader.version("1.0", of: app, as: holder).state == .ready)
        #expect(try await service.storePageReader(of: app, as: holder).item?.version == "1.0")
        // The number of an app of a file is drawn with its first version.
        let imported = BundleIdentifier(TestStore.bundleIdentifier)
        try await versions.add("0.1", to: imported, by: holder)
        try await store.addItem(
            try #require(try await service.appReader.app(imported, as: holder).appleIdentifier), app: imported)
    }

    /// A version of hosted content is listed, and removed by its team.
    private func host(_ product: ProductIdentifier, of app: BundleIdentifier, as holder: TeamUser) async throws {
        let content = try TestContent(product: product.rawValue)
        let published = try await store.publish(content)
        let hosting = HostingTeamContent(store.context)
        #expect(try await hosting.page(of: product, in: app, as: holder).newest?.version == published.version)
        _ = try await hosting.published(published.version, of: product, in: app)
        try await hosting.remove(published.version, of: product, in: app, by: holder)
    }
}
