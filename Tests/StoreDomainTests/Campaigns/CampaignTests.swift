// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The tokens of links, which are kept with purchases, and their sums.
struct CampaignTests {
    private static let autumn = CampaignTokens("at=friends&ct=autumn&pt=118571&advp=orchard&ppid=4e1b1f6a")
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    @Test("An item and a product of an app keep the tokens of the click before", arguments: Engine.stores)
    func kept(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.addItem(1, app: Self.app, price: "0")
            try await store.addItem(2)
            let anna = try await store.addAccount()
            try await store.buyItem(1, as: anna, Self.autumn)
            try await store.buyItem(2, as: anna, Self.autumn)
            let phone = try await store.addDevice()
            try await store.buy("juice", on: phone, as: anna, Self.autumn)
            try await store.buy("pear", on: phone, as: anna, CampaignTokens("ct=winter"))
            try await store.buy("apple", on: phone, as: anna, nil)

            let campaigns = try await store.campaigns()
            let subject = Campaign.Subject(
                tokens: Self.autumn, seller: "Fruit Records", app: Self.app, item: 1, currency: "USD")
            var song = subject
            song.app = nil
            song.item = 2
            var winter = subject
            winter.tokens = CampaignTokens("ct=winter")
            let price = try #require(campaigns.first { $0.subject == subject }?.milliunits)
            #expect(campaigns.first { $0.subject == subject }?.purchases == 2 && price > 0)
            #expect(campaigns.first { $0.subject == song } == Campaign(subject: song, purchases: 1, milliunits: 990))
            #expect(campaigns.first { $0.subject == winter }?.purchases == 1)
            #expect(campaigns.count == 3)
            #expect(try await store.count("campaign_purchase") == 4)
            #expect(try await store.count("request", where: "tokens IS NOT NULL") == 0)
            let listed = try await CountingCampaigns(store.context).list(of: "Fruit Records")
            #expect(Set(listed) == Set(campaigns))
            #expect(try await CountingCampaigns(store.context).list(of: "Other").isEmpty)
            let last = try #require(listed.last?.identifier)
            #expect(try await CountingCampaigns(store.context).list(after: last).isEmpty)
        }
    }

    @Test("An item that is given again isn't a purchase of a campaign, and a refund changes no sum")
    func again() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.addItem(2)
            let anna = try await store.addAccount()
            let bought = try #require(try await store.buyItem(2, as: anna, Self.autumn).transactionIdentifier)
            try await store.buyItem(2, as: anna, CampaignTokens("ct=winter"))
            #expect(try await store.campaigns().map(\.purchases) == [1])
            try await store.service.refund(bought)
            #expect(try await store.campaigns().map(\.milliunits) == [990])
        }
    }

    @Test("The tokens of a child's order wait with it, and a refused order keeps none", arguments: Engine.stores)
    func waiting(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.addItem(1)
            try await store.addItem(2)
            try await store.addItem(3)
            let child = try await store.addAccount(asksToBuy: true)
            // The first order is confirmed on its sheet, the next ones are known to be a child's.
            #expect(try await store.buyItem(1, as: child, Self.autumn).status == .deferred)
            for item: Int64 in [2, 3] {
                guard case .waits = try await store.service.order(item: item, for: child, tokens: Self.autumn) else {
                    Issue.record("The order \(item) doesn't wait.")
                    return
                }
            }
            let waiting = try await store.service.undecided().compactMap(\.transactionIdentifier)
            #expect(waiting.count == 3)
            #expect(try await store.count("request", where: "tokens IS NOT NULL") == 3)
            try await store.service.decline(waiting[2])
            for number in waiting.dropLast() { try await store.service.approve(number) }
            #expect(try await store.campaigns().map(\.purchases).reduce(0, +) == 2)
            #expect(try await store.count("request", where: "tokens IS NOT NULL") == 0)
        }
    }

    @Test(
        "A process that dies at a step of a purchase keeps the tokens, or neither them nor the purchase",
        arguments: Engine.stores,
        ["reserve:before", "reserve:after", "authorise:after", "commit:before", "commit:after", "capture:after"])
    func dying(engine: Engine, step: String) async throws {
        try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
            try await dying.addItem(7)
            let anna = try await dying.addAccount()
            let sheet = try await dying.orderItem(7, as: anna)
            _ = try? await dying.service.buy(onSheet: sheet, as: anna, shown: nil, tokens: Self.autumn)
            #expect(database.isDead, "\(step) wasn't reached")

            let store = try await revive()
            try await store.recover()
            let isBought = step != "reserve:before"
            #expect(try await store.count("campaign_purchase") == (isBought ? 1 : 0))
            #expect(try await store.campaigns().map(\.purchases) == (isBought ? [1] : []))
        }
    }

    @Test(
        "A process that dies while it counts loses no purchase and counts none twice",
        arguments: Engine.stores, ["countcampaigns:before", "countcampaigns:after"])
    func dyingCount(engine: Engine, step: String) async throws {
        try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
            for item: Int64 in 1...3 { try await dying.addItem(item) }
            let anna = try await dying.addAccount()
            for item: Int64 in 1...3 { try await dying.buyItem(item, as: anna, Self.autumn) }
            try? await CountingCampaigns(dying.context)()
            #expect(database.isDead, "\(step) wasn't reached")

            let store = try await revive()
            #expect(try await store.campaigns().map(\.purchases) == [1, 1, 1])
            #expect(try await store.campaigns().map(\.milliunits) == [990, 990, 990])
        }
    }

    @Test("Two nodes that count at the same time count each purchase once", arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...2 {
                    group.addTask { for _ in 1...20 { try await CountingCampaigns(store.context)() } }
                }
                for number in 1...20 {
                    try await store.buy("juice", on: phone, as: anna, Self.autumn, request: "juice \(number)")
                }
                try await group.waitForAll()
            }
            let campaigns = try await store.campaigns()
            #expect(campaigns.map(\.purchases) == [20])
            #expect(try await store.ledger().reduce(0, +) == campaigns.first?.milliunits)
        }
    }

    @Test("A purchase that a test deletes is in no sum, counted or not", arguments: Engine.stores)
    func deleted(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            for isCounted in [true, false] {
                let request = "\(isCounted)"
                let bought = try await store.buy("juice", on: phone, as: anna, Self.autumn, request: request)
                if isCounted { try await CountingCampaigns(store.context)() }
                _ = try await ForgettingPurchase(store.context)(try #require(bought.transactionIdentifier))
                #expect(try await store.campaigns().allSatisfy { $0.purchases == 0 && $0.milliunits == 0 })
            }
            #expect(try await store.count("campaign_purchase") == 0)
        }
    }

    @Test("A sum stops at the largest number")
    func largest() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let subject = Campaign.Subject(tokens: Self.autumn, seller: "S", app: nil, item: 1, currency: "USD")
            for _ in 1...3 {
                try await store.context.write(.key("campaigns")) { db in
                    try Campaign(subject: subject, purchases: 1, milliunits: Campaign.largest - 1).add(db)
                }
            }
            let campaigns = try await store.campaigns()
            #expect(campaigns == [Campaign(subject: subject, purchases: 3, milliunits: Campaign.largest)])
        }
    }

    @Test("Tokens have one text, and everything else in a text is left out")
    func tokens() {
        #expect(CampaignTokens("ct=autumn&at=friends").text == "at=friends&ct=autumn")
        for text in ["", "at=", "at=a b", "at=%41", "at=<b>", "xx=1", "at", "at=\(String(repeating: "a", count: 65))"] {
            #expect(CampaignTokens(text).isEmpty, "\(text)")
        }
        #expect(CampaignTokens("at=\(String(repeating: "a", count: 64))&ct=\u{202E}").text.utf8.count == 67)
        #expect(CampaignTokens([.page: "1", .partner: "é"]) == CampaignTokens("ppid=1"))
    }
}

extension TestStore {
    fileprivate func campaigns() async throws -> [Campaign] { try await CountingCampaigns(context).list() }

    /// Buys a product on the sheet of a device, after a click.
    @discardableResult
    fileprivate func buy(
        _ product: String, on device: TestDevice, as account: Account, _ tokens: CampaignTokens?,
        request: String? = nil
    ) async throws -> DeviceRequest {
        let sheet = try device.token(try await device.ask(product, request: request ?? product).sheet)
        return try await service.buy(onSheet: sheet, as: account, shown: nil, tokens: tokens)
    }

    @discardableResult
    fileprivate func buyItem(
        _ identifier: Int64, as account: Account, _ tokens: CampaignTokens?
    ) async throws -> DeviceRequest {
        let sheet = try await orderItem(identifier, as: account)
        return try await service.buy(onSheet: sheet, as: account, shown: nil, tokens: tokens)
    }
}
