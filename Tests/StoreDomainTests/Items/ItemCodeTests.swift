// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Promo codes of apps, which customers redeem on the app's page in the store.
struct ItemCodeTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    /// A team's app that is sold on its page, with the number of its item.
    private func withApp(
        _ engine: Engine, _ body: (_ store: TestStore, _ holder: TeamUser, _ number: Int64) async throws -> Void
    ) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let number = try await store.sellApp(Self.app, by: holder)
            try await body(store, holder, number)
        }
    }

    private func redemptions(_ store: TestStore, _ holder: TeamUser) async throws -> [Int] {
        try await store.service.makingAppCodes().batches(of: Self.app, as: holder).entries.map(\.batch.redemptions)
    }

    /// The error with which a code is refused; `nil` when it is redeemed.
    private func refusal(_ body: () async throws -> DeviceRequest) async throws -> DomainError.Code? {
        do {
            _ = try await body()
            return nil
        } catch let error as DomainError {
            return error.code
        }
    }

    @Test("A team makes promo codes of its app, and a customer gets the app with one, once", arguments: Engine.stores)
    func redeemed(engine: Engine) async throws {
        try await withApp(engine) { store, holder, number in
            let marketing = try await store.addUser(.marketing, to: holder)
            let making = try store.service.makingAppCodes()
            let batch = try await making(.promoOfApp("3"), isWord: false, of: Self.app, by: marketing)
            let codes = try await store.codes(of: batch, in: Self.app, as: holder)
            #expect(Set(codes).count == 3 && codes.allSatisfy { $0.count == OfferCodeText.length })

            let anna = try await store.addAccount()
            let bought = try await store.redeem(codes[0].lowercased(), of: number, as: anna)
            #expect(bought.status == .done && bought.bundleIdentifier == Item.catalogue)
            #expect(try await store.ledger() == [0])
            #expect(try await store.count("item_purchase") == 1)
            // The app is downloaded, and no device delivers it.
            #expect(try await store.count("app_transaction") == 1)
            #expect(try await store.count("queue_entry") == 0)
            let item = try await store.service.item(number)
            #expect(try await store.service.owns(item, anna))
            #expect(try await redemptions(store, holder) == [1])

            #expect(try await refusal { try await store.redeem(codes[1], of: number, as: anna) } == .codeNotEligible)
            let berta = try await store.addAccount("berta@example.com")
            #expect(try await refusal { try await store.redeem(codes[0], of: number, as: berta) } == .codeUsed)
            #expect(try await redemptions(store, holder) == [1])
            #expect(try await store.buyItem(number, as: berta).status == .done)
            #expect(try await store.ledger() == [990, 0])
            let log = try await store.service.teamReader.changes(containing: "Press", as: holder).entries
            #expect(log.map(\.kind) == [.codesMade] && log.map(\.subject) == [Self.app.rawValue])
        }
    }

    @Test("Of two customers who redeem a code at the same time one gets the app", arguments: Engine.stores)
    func concurrent(engine: Engine) async throws {
        try await withApp(engine) { store, holder, number in
            let batch = try await store.service.makingAppCodes()(
                .promoOfApp("1"), isWord: false, of: Self.app, by: holder)
            let code = try await store.codes(of: batch, in: Self.app, as: holder)[0]
            let customers = [
                try await store.addAccount(), try await store.addAccount("berta@example.com"),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for customer in customers {
                    group.addTask {
                        try await allowingRefusal { _ = try await store.redeem(code, of: number, as: customer) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.count("item_purchase") == 1)
            #expect(try await redemptions(store, holder) == [1])
            #expect(try await store.ledger() == [0])
        }
    }

    @Test(
        "A revoked code gives no app, and a team can't use the batches of another team's app", arguments: Engine.stores)
    func revoked(engine: Engine) async throws {
        try await withApp(engine) { store, holder, number in
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let values = AppRegistration.Values(
                bundleIdentifier: "com.example.other", name: "Other", sku: "OTHER", primaryLocale: "en_US")
            let foreign = try await store.service.registeringApp()(values, by: other).bundleIdentifier
            _ = try await store.sellApp(foreign, by: other)
            let making = try store.service.makingAppCodes()
            let batch = try await making(.promoOfApp("2"), isWord: false, of: Self.app, by: holder)
            let code = try await store.codes(of: batch, in: Self.app, as: holder)[0]

            #expect(try await making.batches(of: foreign, as: other).entries.isEmpty)
            for app in [Self.app, foreign] {
                await #expect(throws: DomainError(.notFound, "")) {
                    try await making.revoke(batch, of: app, by: other)
                }
                await #expect(throws: DomainError(.notFound, "")) {
                    _ = try await making.codes(of: batch, of: app, as: other)
                }
            }
            await #expect(throws: DomainError(.notFound, "")) {
                _ = try await making(.promoOfApp("1"), isWord: false, of: Self.app, by: other)
            }
            let anna = try await store.addAccount()
            let sheet = try await store.codeSheet(number, as: anna)
            try await making.revoke(batch, of: Self.app, by: holder)
            #expect(
                try await refusal { try await store.redeem(code, of: number, onSheet: sheet, as: anna) }
                    == .codeRevoked)
            #expect(try await store.ledger().isEmpty)
        }
    }

    @Test("A code of another app, and one of a product, give no app on its page", arguments: Engine.stores)
    func others(engine: Engine) async throws {
        try await withApp(engine) { store, holder, number in
            let making = try store.service.makingAppCodes()
            var values = CodeValues.promoOfApp("1")
            (values.isForApp, values.product) = (false, "apple")
            let ofProduct = try await making(values, isWord: false, of: Self.app, by: holder)
            let ofApp = try await making(.promoOfApp("1"), isWord: false, of: Self.app, by: holder)
            let product = try await store.codes(of: ofProduct, in: Self.app, as: holder)[0]
            let app = try await store.codes(of: ofApp, in: Self.app, as: holder)[0]
            try await store.addItem(1001, app: "com.example.later")
            try await store.addItem(1002)

            let anna = try await store.subscriber()
            let account = anna.account
            #expect(try await refusal { try await store.redeem(product, of: number, as: account) } == .codeUnknown)
            #expect(try await refusal { try await store.redeem(app, of: 1001, as: account) } == .codeUnknown)
            #expect(try await anna.refusal(of: app) == .codeUnknown)
            // A song has no codes.
            await #expect(throws: DomainError(.invalid, "")) { _ = try await store.codeSheet(1002, as: account) }
            await #expect(throws: DomainError(.notFound, "")) { _ = try await store.codeSheet(1003, as: account) }
            #expect(try await redemptions(store, holder) == [0, 0])
            #expect(try await store.ledger().isEmpty)
        }
    }

    @Test("An app that isn't sold yet is given for no code, and the code keeps its use", arguments: Engine.stores)
    func held(engine: Engine) async throws {
        try await withApp(engine) { store, holder, number in
            let batch = try await store.service.makingAppCodes()(
                .promoOfApp("1"), isWord: false, of: Self.app, by: holder)
            let code = try await store.codes(of: batch, in: Self.app, as: holder)[0]
            let anna = try await store.addAccount()
            let sheet = try await store.codeSheet(number, as: anna)
            try await store.saveStorePage(of: Self.app, firstDay: 2, by: holder)
            #expect(
                try await refusal { try await store.redeem(code, of: number, onSheet: sheet, as: anna) } == .notFound)
            // The terms aren't asked for before the confirmation.
            #expect(
                try await refusal {
                    try await RedeemingCode(store.context)(code: code, sheet: sheet, account: anna, shown: nil).request
                } == .notFound)
            guard case .refused = try await store.service.redemption(item: number, for: anna) else {
                Issue.record("a code can be typed before the first day")
                return
            }
            #expect(try await redemptions(store, holder) == [0])
            #expect(try await store.ledger().isEmpty)
            store.clock.advance(by: .seconds(2 * 86_400))
            #expect(try await store.redeem(code, of: number, as: anna).status == .done)
        }
    }

    @Test("A child asks for an app of a code, whose use is kept until the parent decides", arguments: Engine.stores)
    func child(engine: Engine) async throws {
        try await withApp(engine) { store, holder, number in
            let batch = try await store.service.makingAppCodes()(
                .promoOfApp("1"), isWord: false, of: Self.app, by: holder)
            let code = try await store.codes(of: batch, in: Self.app, as: holder)[0]
            let child = try await store.addAccount(asksToBuy: true)
            #expect(try await store.redeem(code, of: number, as: child).status == .deferred)
            #expect(try await redemptions(store, holder) == [1])
            #expect(try await store.count("item_purchase") == 0)
            #expect(try await store.service.approve(try await store.onlyUndecided()).status == .done)
            #expect(try await store.count("item_purchase") == 1)
            #expect(try await store.ledger() == [0])
        }
    }

    @Test("An app has 100 promo codes in half a year, besides those of its products", arguments: Engine.stores)
    func limits(engine: Engine) async throws {
        try await withApp(engine) { store, holder, _ in
            let making = try store.service.makingAppCodes()
            var others = CodeValues.promoOfApp("1")
            (others.product, others.offer, others.word) = ("apple", "spring", "WORD")
            for isWord in [false, true] {
                let values = others
                let error = await #expect(throws: InvalidFields.self) {
                    _ = try await making(values, isWord: isWord, of: Self.app, by: holder)
                }
                let fields = try #require(error).problems.map(\.field)
                #expect(["product", "offer", "word"].allSatisfy(fields.contains))
            }
            _ = try await making(.promoOfApp("100"), isWord: false, of: Self.app, by: holder)
            await #expect(throws: DomainError(.invalid, "")) {
                _ = try await making(.promoOfApp("1"), isWord: false, of: Self.app, by: holder)
            }
            var product = CodeValues.promoOfApp("1")
            (product.isForApp, product.product) = (false, "apple")
            _ = try await making(product, isWord: false, of: Self.app, by: holder)
            #expect(try await store.count("offer_code") == 101)
        }
    }

    @Test("An app without a store page has no promo codes of its own", arguments: Engine.stores)
    func unlisted(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let making = try store.service.makingAppCodes()
            await #expect(throws: DomainError(.invalid, "")) {
                _ = try await making(.promoOfApp("1"), isWord: false, of: Self.app, by: holder)
            }
            #expect(try await store.count("offer_code_batch") == 0)
        }
    }
}

extension CodeValues {
    /// A number of promo codes of the app itself.
    static func promoOfApp(_ count: String) -> CodeValues {
        var values = CodeValues()
        (values.isForApp, values.name, values.count) = (true, "Press", count)
        return values
    }
}

extension TestStore {
    /// Saves the store page of a team's app, for sale from a number of days
    /// after today.
    func saveStorePage(of app: BundleIdentifier, firstDay days: Int? = nil, by holder: TeamUser) async throws {
        var values = Item.Values()
        (values.link, values.tier) = ("https://seller.example/fruit", "1")
        values.texts = [Product.Localization(locale: "en_US", title: "Fruit", description: "")]
        let today = Int(clock.now.milliseconds / 86_400_000)
        values.firstDay = days.map { CivilDate(dayNumber: today + $0).text } ?? ""
        let version = try await service.storePageReader(of: app, as: holder).version
        try await service.registeringStorePage().save(values, of: app, version: version, by: holder)
    }

    /// Sells a team's app on its page; returns the number of its item.
    func sellApp(_ app: BundleIdentifier, by holder: TeamUser) async throws -> Int64 {
        try await saveStorePage(of: app, by: holder)
        let versions = try service.registeringVersion()
        try await versions.add("1.0", to: app, by: holder)
        try await versions.release("1.0", of: app, by: holder)
        return try #require(try await service.storePageReader(of: app, as: holder).item).identifier
    }

    /// The codes of a batch.
    func codes(of batch: String, in app: BundleIdentifier, as user: TeamUser) async throws -> [String] {
        let table = try await service.makingAppCodes().contents(of: batch, of: app, as: user)
        return try CSVText.records(of: String(decoding: table, as: UTF8.self)).dropFirst().map { $0.cells[0] }
    }

    /// The token of the sheet on which a code of an app is typed.
    func codeSheet(_ item: Int64, as account: Account) async throws -> String {
        guard case .sheet(let token) = try await service.redemption(item: item, for: account) else {
            throw DomainError(.invalid, "The redemption was refused.")
        }
        return token
    }

    /// Types a code on the page of an app, and confirms its terms.
    func redeem(
        _ code: String, of item: Int64, onSheet sheet: String? = nil, as account: Account
    ) async throws -> DeviceRequest {
        let sheet = if let sheet { sheet } else { try await codeSheet(item, as: account) }
        let redeeming = RedeemingCode(context)
        let terms = try await redeeming.terms(of: code, onSheet: sheet, account: account)
        return try await redeeming(code: code, sheet: sheet, account: account, shown: AgreedTerms(terms.shown)).request
    }
}
