// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The right to download content, and its offers in transactions.
struct ContentRightTests {
    private static func hosted(_ store: TestStore, product: String = "apple") async throws {
        try await store.publish(TestContent(product: product))
    }

    /// The answer to a call for an address, and the content at it.
    private static func open(_ transaction: TransactionInfo, on device: TestDevice) async throws -> ContentAnswer {
        let answer = try await device.call(ContentCall(transaction: transaction.transactionIdentifier))
        _ = try await requested(answer, of: device.store)
        return answer
    }

    private static func requested(_ answer: ContentAnswer, of store: TestStore) async throws -> RequestedContent {
        let parts = answer.address.split(separator: "/").map(String.init)
        try #require(parts.count == 4 && parts[0] == "content")
        return try await store.service.content(identifier: parts[1], expires: parts[2], signature: parts[3])
    }

    private static func expect(
        _ code: StoreFailure.Code, at location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        let failure = await #expect(throws: StoreFailure.self, sourceLocation: location) { try await body() }
        #expect(failure?.code == code, sourceLocation: location)
    }

    @Test("The owner of a product gets its content, until the purchase is refunded", arguments: Engine.stores)
    func refunded(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await Self.hosted(store)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            #expect(apple.content == [try #require(try await Self.offer(of: "apple", to: phone))])

            let answer = try await Self.open(apple, on: phone)
            #expect(answer.product == "apple" && answer.version == "1.0")
            #expect(answer.expires == (store.clock.now + .seconds(3600)).milliseconds)
            // A finished non-consumable is still owned.
            try await phone.finish(apple.transactionIdentifier)
            _ = try await Self.open(apple, on: phone)

            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            await Self.expect(.contentNotOwned) { _ = try await Self.open(apple, on: phone) }
            // The address that was given before is of no use either.
            await Self.expect(.contentNotOwned) { _ = try await Self.requested(answer, of: store) }
        }
    }

    private static func offer(of product: String, to device: TestDevice) async throws -> ContentOffer? {
        let listing = try await device.call(
            ProductsCall(
                bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: [product, "juice"], languages: []))
        #expect(listing.products.last?.content == nil)
        return listing.products.first?.content
    }

    @Test("Queue, events, payments and restores name the newest content", arguments: Engine.stores)
    func offers(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let before = try await phone.buy("apple", request: "1", as: anna)
            #expect(before.content == nil)
            try await Self.hosted(store)
            try await store.publish(TestContent(version: "2.0"))
            let offer = try #require(try await Self.offer(of: "apple", to: phone))
            #expect(offer.version == "2.0" && offer.files == 2 && offer.length > 0)

            let queue = try await phone.queue()
            #expect(queue.map(\.content) == [[offer]])
            let events = try await phone.connection.events(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier,
                    position: EventPosition(account: anna.identifier.rawValue, number: 0)))
            for try await event in events {
                guard let bought = event.content as? TransactionEvent else { continue }
                #expect(bought.transaction.content == [offer])
                break
            }
            try await phone.finish(before.transactionIdentifier)
            let restored = try await phone.restore(request: "r").transactions
            #expect(restored.map(\.content) == [[offer]])
            let juice = try await phone.buy("juice", request: "2", as: anna)
            #expect(juice.content == nil)
        }
    }

    @Test("A restored transaction gives the right on its own device only", arguments: Engine.stores)
    func restored(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await Self.hosted(store)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            try await phone.finish(apple.transactionIdentifier)
            let tablet = try await store.addDevice(2)
            try await tablet.signIn(anna)
            let restored = try #require(try await tablet.restore(request: "r").transactions.first)
            #expect(restored.transactionIdentifier != apple.transactionIdentifier)

            _ = try await Self.open(restored, on: tablet)
            // The purchase itself belongs to the account on each of its devices.
            _ = try await Self.open(apple, on: tablet)
            await Self.expect(.contentNotOwned) { _ = try await Self.open(restored, on: phone) }
        }
    }

    @Test("Another account, and a device without one, have no right", arguments: Engine.stores)
    func others(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let berta = try await store.addAccount("berta@example.com")
            let phone = try await store.addDevice()
            try await Self.hosted(store)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let tablet = try await store.addDevice(2)
            await Self.expect(.contentNotOwned) { _ = try await Self.open(apple, on: tablet) }
            try await tablet.signIn(berta)
            await Self.expect(.contentNotOwned) { _ = try await Self.open(apple, on: tablet) }
            await Self.expect(.contentNotOwned) {
                _ = try await tablet.call(ContentCall(transaction: "2000000000000001"))
            }
            _ = try await phone.call(SignOutCall(requestIdentifier: "out"))
            await Self.expect(.contentNotOwned) { _ = try await Self.open(apple, on: phone) }
        }
    }

    @Test("The content of a consumable ends when its transaction is finished", arguments: Engine.stores)
    func consumable(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await Self.hosted(store, product: "juice")
            let juice = try await phone.buy("juice", request: "1", as: anna)
            let answer = try await Self.open(juice, on: phone)
            try await phone.finish(juice.transactionIdentifier)
            await Self.expect(.contentNotOwned) { _ = try await Self.open(juice, on: phone) }
            await Self.expect(.contentNotOwned) { _ = try await Self.requested(answer, of: store) }
        }
    }

    @Test("The content of a subscription ends with it, and is open to every one of its periods before")
    func subscription() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.sellBaskets()
            try await Self.hosted(store, product: "small")
            let bodo = try await store.subscriber()
            let first = try await bodo.buy("small")
            _ = try await Self.open(first, on: bodo.phone)
            try await bodo.advance(.later(ClockDuration("40d")))
            #expect(try await bodo.status() == .active)
            _ = try await Self.open(first, on: bodo.phone)
            try await bodo.setRenewal(false)
            try await bodo.advance(.later(ClockDuration("40d")))
            #expect(try await bodo.status() == .expired)
            await Self.expect(.contentNotOwned) { _ = try await Self.open(first, on: bodo.phone) }
        }
    }

    @Test("A product without content, and a version that was removed, aren't found", arguments: Engine.stores)
    func notFound(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            await Self.expect(.contentNotFound) { _ = try await Self.open(apple, on: phone) }
            try await Self.hosted(store)
            let answer = try await Self.open(apple, on: phone)
            try await store.publish(TestContent(version: "2.0"))
            // A new version leaves the downloads of the old one alone.
            #expect(try await Self.requested(answer, of: store).content.version == "1.0")
            let old = try await phone.call(ContentCall(transaction: apple.transactionIdentifier, version: "1.0"))
            #expect(old.checksum == answer.checksum)
            #expect(try await Self.open(apple, on: phone).version == "2.0")

            let bundle = BundleIdentifier(TestStore.bundleIdentifier)
            _ = try await RemovingContent(store.context)("apple", of: bundle, version: "1.0")
            await Self.expect(.contentNotFound) { _ = try await Self.requested(answer, of: store) }
            await Self.expect(.contentNotFound) {
                _ = try await phone.call(ContentCall(transaction: apple.transactionIdentifier, version: "1.0"))
            }
            #expect(try await Self.open(apple, on: phone).version == "2.0")
        }
    }

    @Test("An address ends after an hour, and an altered one is none", arguments: Engine.stores)
    func addresses(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await Self.hosted(store)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let answer = try await Self.open(apple, on: phone)
            store.clock.advance(by: .seconds(3599))
            _ = try await Self.requested(answer, of: store)
            store.clock.advance(by: .seconds(1))
            await Self.expect(.contentAddressExpired) { _ = try await Self.requested(answer, of: store) }

            let parts = answer.address.split(separator: "/").map(String.init)
            let later = String(answer.expires + 3_600_000)
            for (identifier, expires, signature) in [
                (parts[1], later, parts[3]), (parts[1], parts[2] + "0", parts[3]), (parts[1] + "1", parts[2], parts[3]),
                (parts[1], parts[2], String(parts[3].dropLast()) + "x"), (parts[1], parts[2], ""),
                (parts[1], parts[2], String(parts[3].dropLast(2))), ("", "", ""),
            ] {
                await Self.expect(.contentNotFound) {
                    _ = try await store.service.content(identifier: identifier, expires: expires, signature: signature)
                }
            }
        }
    }

    @Test("Two processes sign addresses with one key", arguments: Engine.stores)
    func sharedKey(engine: Engine) async throws {
        try await engine.withTwoDatabases(hasTables: true) { first, second in
            let one = try await TestStore(first)
            let other = try await TestStore(
                second, seed: 8, storage: { _ in FolderStorage(one.contentFolder.url, partBytes: 1024) })
            let anna = try await one.addAccount()
            let phone = try await one.addDevice()
            try await Self.hosted(one)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let answer = try await phone.call(ContentCall(transaction: apple.transactionIdentifier))
            let requested = try await Self.requested(answer, of: other)
            #expect(requested.content.checksum == answer.checksum)
            #expect(
                try await OpeningContentKeys(one.context)().storageName
                    == OpeningContentKeys(other.context)().storageName)
        }
    }
}
