// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDomain

/// Files that teams import, compare and export in Connect.
struct AppFileTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    /// The store's file with another price and text, a new product, and a key
    /// that the store doesn't read.
    private static let edited = TestStore.catalogue.replacing("\"0.99\"", with: "\"1.29\"")
        .replacing("A red apple", with: "A green apple")
        .replacing(
            "\"products\" : [",
            with: """
                "_unknown" : { "z" : 1.50, "a" : "kept" },
                  "products" : [
                    { "displayPrice" : "2.99", "familyShareable" : false, "internalID" : "9", "productID" : "mango",
                      "referenceName" : "Mango", "type" : "Consumable", "localizations" : [
                        { "description" : "A mango", "displayName" : "Mango", "locale" : "en_US" } ] },
                """)

    private func upload(_ text: String, withdraws: Bool = false, _ store: TestStore, _ user: TeamUser) async throws {
        try await store.service.importingAppFile().upload(
            Data(text.utf8), named: "new.storekit", withdraws: withdraws, to: Self.app, by: user)
    }

    private func diff(_ store: TestStore, _ user: TeamUser) async throws -> AppFileDiff {
        try #require(try await store.service.importingAppFile().waiting(of: Self.app, as: user)).diff
    }

    private func lines(_ diff: AppFileDiff) -> [String] {
        diff.changes.map { change in
            "\(change.subject.text) \(change.kind.rawValue) "
                + change.values.map { "\($0.name.code) \($0.before ?? "-")>\($0.after ?? "-")" }.joined(separator: ", ")
        }
    }

    private func apply(_ store: TestStore, _ user: TeamUser, version: String? = nil) async throws {
        let shown = try await diff(store, user).version
        try await store.service.importingAppFile()(of: Self.app, version: version ?? shown, by: user)
    }

    @Test("A file is compared value by value, imported, and exported byte for byte", arguments: Engine.stores)
    func whole(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let phone = try await store.addDevice()
            try await upload(Self.edited, store, holder)
            let shown = try await diff(store, holder)
            #expect(shown.problems.isEmpty && shown.incomplete.isEmpty)
            #expect(
                lines(shown) == [
                    "mango added type ->Consumable, reference name ->Mango, price ->2.99, for sale ->yes, "
                        + "family sharing ->no, display name en_US ->Mango, description en_US ->A mango",
                    "apple changed price 0.99>1.29, description en_US A red apple>A green apple",
                ])
            #expect(try await store.count("product", where: "product_id = 'mango'") == 0)

            try await apply(store, holder)
            let answer = try await phone.call(
                ProductsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: ["apple", "mango", "pear"],
                    languages: ["en_US"]))
            #expect(answer.products.map(\.milliunits).sorted() == [1290, 1990, 2990])
            #expect(try await store.registration("mango", as: holder).review.state == .prepared)
            #expect(try await store.registration("apple", as: holder).review.state == .approved)
            let export = try await store.service.importingAppFile().contents(of: Self.app, as: holder)
            #expect(String(decoding: export, as: UTF8.self) == Self.edited)
            #expect(try await store.service.importingAppFile().waiting(of: Self.app, as: holder) == nil)
            let log = try await store.service.teamReader.changes(containing: "1.29", as: holder).entries
            #expect(log.map(\.kind) == [.fileImported])

            try await upload(Self.edited, store, holder)
            #expect(try await diff(store, holder).isEmpty)
        }
    }

    @Test(
        "A product without texts isn't sold, and is in the exported file, which changes nothing",
        arguments: Engine.stores)
    func lossless(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let wordless = Self.edited.replacing(
                "{ \"description\" : \"A mango\", \"displayName\" : \"Mango\", \"locale\" : \"en_US\" }", with: "")
            try await upload(wordless, store, holder)
            #expect(try await diff(store, holder).incomplete == ["mango"])
            try await apply(store, holder)
            #expect(try await !store.registration("mango", as: holder).product.isForSale)
            let export = try await store.service.importingAppFile().contents(of: Self.app, as: holder)
            #expect(String(decoding: export, as: UTF8.self) == wordless)
            try await upload(wordless, withdraws: true, store, holder)
            #expect(try await diff(store, holder).isEmpty)
        }
    }

    @Test("Products that the file lacks stay, or are taken off sale, as the user chooses", arguments: Engine.stores)
    func others(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.registerProduct(by: holder)
            try await upload(TestStore.catalogue, store, holder)
            #expect(try await diff(store, holder).isEmpty)
            try await upload(TestStore.catalogue, withdraws: true, store, holder)
            #expect(lines(try await diff(store, holder)) == ["banana withdrawn for sale yes>no"])
            try await apply(store, holder)
            let banana = try await store.registration("banana", as: holder)
            #expect(!banana.product.isForSale && !banana.isCleared)
        }
    }

    @Test(
        "Changes that another user has made since the comparison are shown, and nothing is imported",
        arguments: Engine.stores)
    func changed(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let developer = try await store.addUser(.developer, to: holder)
            try await upload(Self.edited, store, holder)
            let shown = try await diff(store, holder)
            let apple = try await store.registration("apple", as: developer)
            var values = TestStore.productValues("Apple", tier: "7", description: "A red apple")
            values.texts = apple.product.localizations
            try await store.service.registeringProduct()
                .change("apple", of: Self.app, to: values, version: apple.version, by: developer)
            await #expect(throws: DomainError.changed) { try await apply(store, holder, version: shown.version) }
            #expect(try await store.registration("apple", as: holder).product.milliunits == 6990)
            #expect(try await store.count("product", where: "product_id = 'mango'") == 0)
            let now = try await diff(store, holder)
            #expect(lines(now)[1].contains("price 6.99>1.29") && now.version != shown.version)
            try await apply(store, holder)
            #expect(try await store.registration("apple", as: holder).product.milliunits == 1290)
        }
    }

    @Test(
        "A file that would change fixed values or take another app's identifier isn't imported",
        arguments: Engine.stores)
    func problems(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            _ = try await store.service.registeringApp()(
                AppRegistration.Values(
                    bundleIdentifier: "com.example.basket", name: "Basket", sku: "1", primaryLocale: "en_US"),
                by: holder)
            try await store.registerProduct("mango", in: "com.example.basket", by: holder)
            let long = String(repeating: "x", count: AppFileDiff.longestText + 1)
            let file = Self.edited.replacing("NonConsumable", with: "Consumable").replacing("A pear", with: long)
                .replacing("\"juice\"", with: "\"no spaces\"")
            try await upload(file, store, holder)
            let shown = try await diff(store, holder)
            let kinds = shown.problems.map(\.kind)
            #expect(kinds.count { $0 == .fixed } == 3 && kinds.contains(.taken) && kinds.contains(.tooLong))
            #expect(kinds.contains(.identifier))
            let before = try await store.count("product")
            do {
                try await apply(store, holder)
                Issue.record("A file with problems was imported.")
            } catch let error as DomainError {
                #expect(error.code == .invalid)
            }
            #expect(try await store.count("product") == before)
        }
    }

    @Test(
        "The comparison of a file has the problem of a key that is one too many, and one with a known key or none is imported",
        arguments: Engine.stores)
    func keys(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let seller = try await TestSeller(store.context, keyIdentifier: "OFTHESTORE")
            func file(_ key: String) -> String {
                Self.edited.replacing(
                    "\"version\" :",
                    with: """
                        "subscriptionOffersKeyPair" : { "id" : "\(key)",
                          "privateKey" : "\(seller.key.derRepresentation.base64EncodedString())" },
                        "version" :
                        """)
            }
            for number in 0..<InAppPurchaseKey.revokedLimit {
                try await upload(file("key-\(number)"), store, holder)
                #expect(try await diff(store, holder).problems.isEmpty)
                let key = InAppPurchaseKey(
                    identifier: "key-\(number)", bundleIdentifier: Self.app, name: "File",
                    publicKey: seller.key.publicKey.x963Representation, created: store.clock.now)
                try await store.context.write(.all) { db in
                    try InAppPurchaseKey.replaceKey(ofFileOf: Self.app, by: key, db)
                    _ = try InAppPurchaseKey.revoke(key.identifier, ofFileOf: Self.app, db)
                }
            }
            try await upload(file("next"), store, holder)
            let problems = try await diff(store, holder).problems
            #expect(
                problems == [
                    AppFileDiff.Problem(
                        kind: .tooManyKeys, subject: .app, value: .offerKey, limit: InAppPurchaseKey.revokedLimit)
                ])
            await #expect(throws: DomainError(.invalid, "")) { try await apply(store, holder) }
            for known in [file("key-7"), Self.edited] {
                try await upload(known, store, holder)
                #expect(try await diff(store, holder).problems.isEmpty)
            }
            try await apply(store, holder)
            #expect(try await store.registration("apple", as: holder).product.milliunits == 1290)
        }
    }

    @Test("A file that can't be read is refused with its place, and isn't kept", arguments: Engine.stores)
    func unreadable(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let importing = try store.service.importingAppFile()
            for contents in [
                Data(), Data("[]".utf8), Data("{\"products\": 3}".utf8), Data([0x22, 0xFF, 0xFE]),
                Data(count: AppUpload.largest + 1),
                Data(TestStore.catalogue.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }),
            ] {
                do {
                    try await importing.upload(contents, named: "x", withdraws: false, to: Self.app, by: holder)
                    Issue.record("An unreadable file was kept.")
                } catch let error as DomainError {
                    #expect(error.code == .invalid && error.message.contains("."))
                }
            }
            #expect(try await store.count("app_upload") == 0)
        }
    }

    @Test("The operator's file isn't imported again at the next start after a team's import", arguments: Engine.stores)
    func operatorFile(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let own = try StoreKitConfigurationFile(
                Data(TestStore.catalogue.utf8), file: "own.storekit", bundleIdentifier: Self.app)
            let app = App(bundleIdentifier: Self.app, name: "Fruit")
            try await ImportingCatalogue(store.context)(own, into: app)
            try await upload(Self.edited, store, holder)
            try await apply(store, holder)
            let again = try await ImportingCatalogue(store.context)(own, into: app, onlyIfChanged: true)
            #expect(again.changed.isEmpty)
            #expect(try await store.registration("apple", as: holder).product.milliunits == 1290)
            // Another file of the operator leaves the products of the team alone.
            let other = try StoreKitConfigurationFile(
                Data(TestStore.catalogue.replacing("0.49", with: "0.59").utf8), file: "own.storekit",
                bundleIdentifier: Self.app)
            let next = try await ImportingCatalogue(store.context)(other, into: app, onlyIfChanged: true)
            #expect(next.changed.map(\.subject) == ["juice"])
            #expect(Set(next.leftAlone.map(\.subject)) == ["apple", "mango"])
        }
    }

    @Test(
        "A process that dies at any step of an import has imported all of the file or nothing", arguments: Engine.stores
    )
    func dying(engine: Engine) async throws {
        for step in ["upload:before", "upload:after", "import-file:before", "upload:compared", "import-file:after"] {
            try await engine.withDatabase(hasTables: true) { database in
                let mortal = MortalDatabase(database)
                let dying = try await TestStore(mortal, faults: { if $0 == step { mortal.die() } })
                let holder = try await dying.setUpTeam()
                try? await upload(Self.edited, dying, holder)
                try? await apply(dying, holder)
                #expect(mortal.isDead, "\(step) wasn't reached")

                let store = try await TestStore(database, seed: 8)
                let isImported = step == "import-file:after"
                #expect(
                    try await store.registration("apple", as: holder).product.milliunits == (isImported ? 1290 : 990))
                #expect(try await store.count("product", where: "product_id = 'mango'") == (isImported ? 1 : 0))
                if !isImported {
                    if step == "upload:before" { try await upload(Self.edited, store, holder) }
                    try await apply(store, holder)
                }
                #expect(try await store.registration("mango", as: holder).product.isForSale)
                #expect(
                    try await store.service.importingAppFile().contents(of: Self.app, as: holder)
                        == Data(Self.edited.utf8))
            }
        }
    }

    @Test("An import that runs twice has its effect once", arguments: Engine.stores)
    func twice(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(Forgetful(database))
            let holder = try await store.setUpTeam()
            try await upload(Self.edited, store, holder)
            let version = try await diff(store, holder).version
            let importing = try store.service.importingAppFile()
            try await importing(of: Self.app, version: version, by: holder)
            try await importing(of: Self.app, version: version, by: holder)
            let log = try await store.service.teamReader.changes(as: holder).entries.map(\.kind)
            #expect(log == [.fileImported, .teamSetUp])
            try await upload(Self.edited, store, holder)
            try await importing.discard(of: Self.app, by: holder)
            #expect(try await store.count("app_upload") == 0)
        }
    }
}
