// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The values that a seller gives for an item.
struct ItemValueTests {
    @Test(
        "A link that isn't an https address is refused",
        arguments: [
            "javascript:alert(1)", "http://seller.example/", "https://", "https://a@seller.example/",
            "https://seller.example/\u{202E}moc", "https://seller.example/ x", "data:text/html,x", "//seller.example",
            "https://seller.example/\"onclick", "HTTPS:seller", "https://" + String(repeating: "a", count: 2000),
        ])
    func links(link: String) async throws {
        #expect(!Item.isLink(link))
        try await Engine.sqliteMemory.withStore { store in
            await #expect(throws: DomainError(.invalid, "")) { try await store.addItem(1, link: link) }
            let listed = try await ListingItems(store.context)()
            #expect(listed.isEmpty)
        }
    }

    @Test("An https address is a link")
    func link() {
        for link in ["https://seller.example", "https://seller.example:8443/a/b?c=d&e=%20#f"] {
            #expect(Item.isLink(link))
        }
    }

    @Test("Texts, prices, identifiers and versions have limits, and text can't change its direction")
    func texts() async throws {
        try await Engine.sqliteMemory.withStore { store in
            for title in ["", "Peel\u{202E}leeP", "two\nlines", String(repeating: "p", count: 201)] {
                await #expect(throws: DomainError(.invalid, "")) { try await store.addItem(1, title: title) }
            }
            for price in ["-1", "free", "0.1234", "1e3", "9999999999999"] {
                await #expect(throws: DomainError(.invalid, "")) { try await store.addItem(1, price: price) }
            }
            for version in ["", "1\u{0}", String(repeating: "1", count: 51)] {
                await #expect(throws: DomainError(.invalid, "")) { try await store.addItem(1, version: version) }
            }
            for identifier in [0, -1, Int64.max] {
                await #expect(throws: DomainError(.invalid, "")) { try await store.addItem(identifier) }
            }
            let listed = try await ListingItems(store.context)()
            #expect(listed.isEmpty)
        }
    }

    @Test("An app has one item, and a replaced item keeps its place")
    func replacing() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            try await store.addItem(5, app: app, version: "1.0", images: 3)
            try await store.addItem(3)
            await #expect(throws: DomainError(.exists, "")) { try await store.addItem(6, app: app) }
            try await store.addItem(5, app: app, version: "2.0", images: 1)
            let items = try await ListingItems(store.context)()
            #expect(items.map(\.identifier) == [3, 5])
            #expect(items.map(\.version) == ["1.0", "2.0"])
            #expect(try await store.count("item_artwork") == 1)
            #expect(try await ListingItems(store.context)(after: 3).map(\.identifier) == [5])
        }
    }

    @Test("An image is recognised by its bytes, and others are refused")
    func images() throws {
        #expect(try ItemArtwork(TestStore.image).type == "image/png")
        #expect(try ItemArtwork(Data([0xFF, 0xD8, 0xFF, 0xE0])).type == "image/jpeg")
        #expect(try ItemArtwork(Data("RIFF1234WEBPVP8 ".utf8)).type == "image/webp")
        for other in ["<svg xmlns='http://www.w3.org/2000/svg'/>", "", "GIF89a", "RIFF1234WAVE"] {
            #expect(throws: DomainError(.invalid, "")) { _ = try ItemArtwork(Data(other.utf8)) }
        }
        #expect(throws: DomainError(.invalid, "")) {
            _ = try ItemGallery(screenshots: Array(repeating: TestStore.image, count: 9))
        }
        #expect(throws: DomainError(.invalid, "")) {
            _ = try ItemGallery(icon: TestStore.image + Data(count: ItemArtwork.largest))
        }
    }
}
