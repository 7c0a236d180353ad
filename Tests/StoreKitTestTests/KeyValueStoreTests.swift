// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// `NSUbiquitousKeyValueStore`, as an app uses it.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct KeyValueStoreTests {
    private let configuration: Configuration
    private let session: SKTestSession
    private let store = NSUbiquitousKeyValueStore.default

    init() throws {
        configuration = try Configuration()
        session = try configuration.session()
    }

    @Test("A value of every type comes back as the app set it") func everyTypeComesBackAsItWasSet() {
        store.set("Anna", forKey: "name")
        store.set(Data([1, 2, 3]), forKey: "data")
        store.set([1, 2], forKey: "array")
        store.set(["a": 1], forKey: "dictionary")
        store.set(Int64.max, forKey: "long")
        store.set(0.5, forKey: "double")
        store.set(true, forKey: "bool")
        store.set(Date(timeIntervalSince1970: 1) as Any?, forKey: "date")

        #expect(store.string(forKey: "name") == "Anna")
        #expect(store.data(forKey: "data") == Data([1, 2, 3]))
        #expect(store.array(forKey: "array") as? [Int] == [1, 2])
        #expect(store.dictionary(forKey: "dictionary") as? [String: Int] == ["a": 1])
        #expect(store.longLong(forKey: "long") == .max)
        #expect(store.double(forKey: "double") == 0.5)
        #expect(store.bool(forKey: "bool"))
        #expect(store.object(forKey: "date") as? Date == Date(timeIntervalSince1970: 1))
        #expect(store.dictionaryRepresentation.count == 8)
        #expect(store.synchronize())
    }

    @Test("A missing value is nil, zero or false, and so is a value of another type") func whatIsNotThereIsNothing() {
        store.set("text", forKey: "text")

        #expect(store.object(forKey: "none") == nil)
        #expect(store.longLong(forKey: "none") == 0 && store.double(forKey: "none") == 0)
        #expect(!store.bool(forKey: "none"))
        #expect(store.array(forKey: "text") == nil && store.data(forKey: "text") == nil)
        #expect(store.longLong(forKey: "text") == 0)
    }

    @Test("A key is removed by its name, or by setting nil") func aKeyIsRemovedByItsNameOrByNothing() {
        store.set("a", forKey: "first")
        store.set("b", forKey: "second")
        store.removeObject(forKey: "first")
        store.set(nil as String?, forKey: "second")

        #expect(store.dictionaryRepresentation.isEmpty)
    }

    @Test("A key or a value over its limit isn't set, and the store posts a notification")
    func whatIsTooBigIsNotSetAndAnnounced() async throws {
        let heard = Heard()
        store.set(String(repeating: "k", count: 65), forKey: String(repeating: "k", count: 65))
        store.set(Data(count: 1 << 21), forKey: "big")
        await mainQueueUpdates()

        #expect(store.dictionaryRepresentation.isEmpty)
        #expect(
            heard.reasons == [
                NSUbiquitousKeyValueStoreQuotaViolationChange, NSUbiquitousKeyValueStoreQuotaViolationChange,
            ])
        #expect(heard.keys.last == ["big"])
    }

    @Test("A value that isn't a property list isn't set") func whatIsNoPropertyListIsNotSet() {
        store.set(URLSession.self as Any?, forKey: "type")
        #expect(store.object(forKey: "type") == nil)
    }

    @Test("Another session has values of its own") func anotherSessionHasValuesOfItsOwn() throws {
        store.set("Anna", forKey: "name")
        let other = try configuration.session()

        #expect(store.string(forKey: "name") == nil)
        _ = other
    }
}

/// The notifications of the store, in their order.
@MainActor
private final class Heard {
    private final class News: @unchecked Sendable {
        // @unchecked because the notifications are posted on the main queue only.
        var reasons: [Int] = []
        var keys: [[String]] = []
    }

    private let news = News()
    private let token: any NSObjectProtocol
    var reasons: [Int] { news.reasons }
    var keys: [[String]] { news.keys }

    init() {
        token = NotificationCenter.default.addObserver(
            forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: nil, queue: nil
        ) { [news] notification in
            news.reasons.append(notification.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int ?? -1)
            news.keys.append(notification.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String] ?? [])
        }
    }

    isolated deinit {
        NotificationCenter.default.removeObserver(token)
    }
}
