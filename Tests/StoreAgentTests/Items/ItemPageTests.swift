// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import Testing

@testable import StoreAgent

/// The page of an item that an app opens.
struct ItemPageTests {
    private static let page = "https://store.example/app/1001"
    private static let tokens = CampaignTokens("at=friends&ct=autumn")

    private static func store(bundle: String? = Device.bundle, page: String? = page) -> ScriptedStore {
        var script = ScriptedStore.Script()
        script.item = { _ in ItemCall.Answer(page: page, bundleIdentifier: bundle) }
        return ScriptedStore(script)
    }

    /// The address that the presenter gets.
    private func shown(
        _ request: ItemPageRequest, by store: ScriptedStore, _ promotions: Promotions = Promotions()
    ) async throws -> String? {
        let (device, presenter) = (try Device(), RecordingPresenter())
        // The device's folder is removed with it.
        defer { withExtendedLifetime(device) {} }
        let agent = try device.process(store, presenter: presenter).agent
        try agent.updatePromotions { $0 = promotions }
        try await agent.show(try await agent.itemPage(request))
        return presenter.sheets.value.first?.absoluteString
    }

    @Test("The presenter gets the page's address with the product and the tokens")
    func address() async throws {
        let store = Self.store(bundle: nil)
        let request = ItemPageRequest(item: 1001, product: "a pear&apple/ü", tokens: Self.tokens)
        let address = try await shown(request, by: store)
        #expect(address == "\(Self.page)?at=friends&ct=autumn&product=a%20pear%26apple%2F%C3%BC")
        #expect(store.items.value == [ItemCall(item: 1001)])
        #expect(try await shown(ItemPageRequest(item: 1), by: Self.store()) == Self.page)
    }

    @Test("The device's promotions are in the address of the app's own page only")
    func promotions() async throws {
        let promotions = Promotions(order: ["pear", "apple"], visibility: ["juice": 2, "seed": 1, "plum": 7])
        let request = ItemPageRequest(item: 1001)
        let own = try await shown(request, by: Self.store(), promotions)
        #expect(own == "\(Self.page)?hide=juice&show=seed&order=pear&order=apple")
        #expect(try await shown(request, by: Self.store(bundle: "com.example.other"), promotions) == Self.page)
    }

    @Test("A long order keeps its first products, and the address its limit")
    func longOrder() async throws {
        let order = (1...100).map { "com.example.fruit.\($0).\(String(repeating: "x", count: 60))" }
        let address = try #require(
            try await shown(ItemPageRequest(item: 1001), by: Self.store(), Promotions(order: order)))
        #expect(address.utf8.count <= SheetAddress.limit)
        let kept = address.matches(of: /order=com\.example\.fruit\.([0-9]+)/).map { String($0.1) }
        #expect(kept.count > 10 && kept == (1...kept.count).map { "\($0)" })
        let tooLong = Promotions(order: [String(repeating: "x", count: 256)])
        #expect(try await shown(ItemPageRequest(item: 1), by: Self.store(), tooLong) == Self.page)
    }

    @Test("An item that the store doesn't have is an error with Apple's code")
    func unknown() async throws {
        let failure = await #expect(throws: PurchaseFailure.self) {
            try await shown(ItemPageRequest(item: 7), by: Self.store(page: nil))
        }
        #expect(failure?.code == .storeProductNotAvailable && failure?.message.contains("7") == true)
    }

    @Test("No network is an error with the network's")
    func offline() async throws {
        let store = Self.store()
        store.script.change { $0.outage = .notSent }
        let failure = await #expect(throws: PurchaseFailure.self) {
            try await shown(ItemPageRequest(item: 7), by: store)
        }
        #expect(failure?.code == .unknown && failure?.underlying?.domain == NSURLErrorDomain)
    }

    @Test(
        "An address that isn't a page's is never opened",
        arguments: [
            "javascript:alert(1)", "file:///etc/passwd", "http://store.example/app/1 --option", "-x",
            "https://user@store.example/app/1", "data:text/html,<script>", "https://store.example/app/1\u{202E}",
        ])
    func hostile(address: String) async throws {
        let (device, presenter) = (try Device(), RecordingPresenter())
        defer { withExtendedLifetime(device) {} }
        let agent = try device.process(Self.store(page: address), presenter: presenter).agent
        await #expect(throws: PurchaseFailure.self) {
            try await agent.show(try await agent.itemPage(ItemPageRequest(item: 1)))
        }
        #expect(presenter.sheets.value.isEmpty)
    }
}
