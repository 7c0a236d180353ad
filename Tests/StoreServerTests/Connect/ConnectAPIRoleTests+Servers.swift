// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import StoreService
import StoreTestSupport

@testable import StoreDomain
@testable import StoreServer

extension ConnectAPIRoleTests {
    /// The attempts with notification addresses, shared secrets, items, hosted
    /// content and the operator's review.
    static let latest: [Attempt] = servers + items + content + reviews

    private static let address = "{\"url\": \"https://new.example/\", \"version\": 2, \"environment\": \"Sandbox\"}"

    private static let servers: [Attempt] = [
        Attempt(method: .get, path: "apps/:app/notification-addresses", action: .manageServers),
        Attempt(method: .post, path: "apps/:app/notification-addresses", body: address, action: .manageServers),
        Attempt(method: .get, path: "apps/:app/notification-addresses/:address", action: .manageServers),
        Attempt(
            method: .put, path: "apps/:app/notification-addresses/:address", body: address, tag: "\"2\"",
            action: .manageServers),
        Attempt(method: .delete, path: "apps/:app/notification-addresses/:address", action: .manageServers),
        // No test was sent.
        Attempt(method: .get, path: "apps/:app/notification-test", action: .manageServers, mayLack: true),
        Attempt(method: .post, path: "apps/:app/notification-test", action: .manageServers),
        Attempt(method: .get, path: "apps/:app/secrets", action: .manageServers),
        Attempt(
            method: .post, path: "apps/:app/secrets/:owner", tag: "\"\(SharedSecrets().versions.hashedVersion)\"",
            action: .manageServers),
    ]

    private static let items: [Attempt] = [
        Attempt(method: .get, path: "items", action: .seeApps),
        Attempt(
            method: .post, path: "items",
            body: """
                {"kind": "book", "version": "1.0", "link": "https://seller.example/book", "price": "4.99",
                 "texts": {"en_US": {"title": "A book"}}}
                """, action: .editProducts),
        Attempt(method: .get, path: "items/:item", action: .seeApps),
        Attempt(
            method: .patch, path: "items/:item", body: "{\"price\": \"5.99\"}", tag: "\"0\"", action: .editProducts),
        // The item has no images.
        Attempt(method: .get, path: "items/:item/icon", action: .seeApps, mayLack: true),
        Attempt(method: .put, path: "items/:item/icon", file: TestStore.image, action: .editProducts),
        Attempt(method: .delete, path: "items/:item/icon", action: .editProducts),
        Attempt(method: .get, path: "items/:item/screenshots/:place", action: .seeApps, mayLack: true),
        Attempt(method: .put, path: "items/:item/screenshots/:place", file: TestStore.image, action: .editProducts),
        Attempt(method: .delete, path: "items/:item/screenshots/:place", action: .editProducts),
    ]

    private static let content: [Attempt] = [
        Attempt(method: .get, path: "apps/:app/products/:product/content", action: .seeApps),
        Attempt(
            method: .put, path: "apps/:app/products/:product/content", file: book, action: .editProducts),
        Attempt(method: .delete, path: "apps/:app/products/:product/content/:version", action: .editProducts),
    ]

    private static let reviews: [Attempt] = [
        Attempt(method: .get, path: "reviews", action: .reviewProducts),
        Attempt(method: .get, path: "reviews/:app/:product", action: .reviewProducts),
        Attempt(method: .get, path: "reviews/:app/:product/screenshot", action: .reviewProducts),
        // The product isn't in the queue.
        Attempt(
            method: .post, path: "reviews/:app/:product/decision", body: "{\"decision\": \"begin\"}", tag: "\"1\"",
            action: .reviewProducts, mayLack: true),
    ]

    /// The content of the product `book`; empty if it can't be packed.
    private static let book = (try? TestContent(product: "book").bytes()) ?? Data()

    /// Makes the objects of the team that the paths of ``latest`` name.
    ///
    /// - Returns: The objects by the names of paths.
    static func objects(
        of attempts: [Attempt], in store: TestStore, by holder: TeamUser
    ) async throws -> [String: String] {
        var objects = ["owner": "app", "place": "1", "version": "1.0"]
        if attempts.contains(where: { $0.path.contains("/notification-") }) {
            objects["address"] = try await ConnectRoleTests.addAddress(in: store, by: holder)
        }
        if attempts.contains(where: { $0.path.contains(":item") }) {
            var values = Item.Values()
            (values.kind, values.version, values.link) = ("song", "1", "https://seller.example/song")
            (values.price, values.texts) = ("0.99", [.init(locale: "en_US", title: "Song", description: "")])
            objects["item"] = String(try await store.service.registeringItem().add(values, by: holder).identifier)
        }
        let contents = attempts.filter(\.isAboutContent)
        guard !contents.isEmpty else { return objects }
        try await store.registerProduct("book", kind: .nonConsumable, by: holder)
        guard contents.contains(where: { $0.path.contains(":version") }) else { return objects }
        let (product, app) = (ProductIdentifier("book"), BundleIdentifier(TestStore.bundleIdentifier))
        var incoming = try await store.service.incomingPackage(of: product, in: app, expecting: 0, by: holder)
        try await incoming.append(book)
        _ = try await store.service.publish(&incoming, of: product, in: app, by: holder)
        return objects
    }
}
