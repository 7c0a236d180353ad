// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreAgent
@testable import StoreService

/// The way of a device's shared stream to a store in the same process. It does
/// something before each request.
private final class SharedWire: SharingStoreConnection {
    private let local: LocalStoreConnection
    private let service: StoreService
    private let before = Mutex<@Sendable (Int) async throws -> Void>({ _ in })
    private let requests = Mutex(0)

    init(_ store: TestStore) {
        service = store.service
        local = LocalStoreConnection(store.service)
    }

    func beforeRequests(_ action: @escaping @Sendable (Int) async throws -> Void) {
        before.withLock { $0 = action }
    }

    func send(_ message: StoreMessage) async throws -> Data { try await local.send(message) }

    func content(_ request: ContentRequest) async throws -> ContentPart { try await local.content(request) }

    func events(
        _ call: EventsCall, as credentials: DeviceCredentials
    ) async throws -> AsyncThrowingStream<AppEvent, any Error> {
        let number = requests.withLock { count in
            count += 1
            return count
        }
        try await before.withLock { $0 }(number)
        let feed = try await service.events(
            try StoreCoding.encode(call), of: try await service.admit(credentials, to: .events))
        return AsyncThrowingStream {
            while let item = await feed.next() {
                if case .event(let event, let place) = item { return AppEvent(place: place, event: event, size: 1) }
            }
            return nil
        }
    }
}

/// Several apps of a device with one event stream at a real store.
@Suite(.timeLimit(.hang))
struct SharedStreamScenarioTests {
    private static let gardenApp = "com.example.garden"

    private func subscription(_ device: TestDevice, _ app: String, after position: EventPosition? = nil)
        -> EventSubscription
    {
        EventSubscription(
            credentials: device.credentials, bundleIdentifier: app, position: position, takesPages: true)
    }

    private func withStream(
        _ body: @Sendable (TestStore, TestDevice, Account, SharedEventStream, SharedWire) async throws -> Void
    ) async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await ImportingCatalogue(store.context)(
                try StoreKitConfigurationFile(
                    Data(TestStore.catalogue.utf8), file: "test.storekit",
                    bundleIdentifier: BundleIdentifier(Self.gardenApp)),
                into: App(bundleIdentifier: BundleIdentifier(Self.gardenApp), name: "Garden"))
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await Self.signIn(anna, on: phone)
            let wire = SharedWire(store)
            let stream = SharedEventStream(
                wire, clock: AgentClock(now: { 0 }, sleep: { _ in try await letOthersRun() }))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await stream.run() }
                defer { group.cancelAll() }
                try await body(store, phone, anna, stream, wire)
            }
        }
    }

    /// Signs in on the sheet of a receipt refresh.
    private static func signIn(_ account: Account, on phone: TestDevice) async throws {
        let answer = try await phone.call(
            ReceiptCall(
                requestIdentifier: "sign in \(account.email)", bundleIdentifier: TestStore.bundleIdentifier,
                applicationVersion: "1", mayAskToSignIn: true))
        try await phone.store.service.signIn(onSheet: try phone.token(answer.sheet), as: account)
    }

    /// The next transactions of a sequence.
    private func read(
        _ events: inout AsyncThrowingStream<StoreEvent, any Error>.Iterator, untilTransactions count: Int
    ) async throws -> [String] {
        var found: [String] = []
        while found.count < count {
            let event = try #require(try await events.next())
            if let arrival = event.content as? TransactionEvent {
                found.append(arrival.transaction.transactionIdentifier)
            }
        }
        return found
    }

    @Test("A purchase and an answer between two requests reach the app once, while another app joins")
    func betweenRequests() async throws {
        try await withStream { store, phone, anna, stream, wire in
            var fruit = try await stream.events(subscription(phone, TestStore.bundleIdentifier)).makeAsyncIterator()
            #expect(try await fruit.next()?.content is SnapshotEvent)
            let before = try await phone.buy("juice", request: "1", as: anna).transactionIdentifier
            #expect(try await read(&fruit, untilTransactions: 1) == [before])
            let bought = Mutex<String?>(nil)
            wire.beforeRequests { _ in
                let between = try await phone.buy("juice", request: "2", as: anna).transactionIdentifier
                bought.withLock { $0 = between }
                let token = try phone.token(try await phone.ask("apple", request: "3").sheet)
                try await store.service.cancelSheet(token)
                wire.beforeRequests { _ in }
            }

            let garden = try await stream.events(subscription(phone, Self.gardenApp))
            let after = try await phone.buy("juice", request: "4", as: anna).transactionIdentifier

            var (transactions, requests): ([String], [String]) = ([], [])
            while transactions.last != after {
                switch try await fruit.next()?.content {
                case let arrival as TransactionEvent: transactions.append(arrival.transaction.transactionIdentifier)
                case let news as RequestEvent where news.number != nil: requests.append(news.requestIdentifier)
                case nil: Issue.record("the sequence has ended")
                default: break
                }
            }
            let between = try #require(bought.withLock { $0 })
            #expect(transactions == [between, after])
            // The store doesn't hint at payments whose transaction is an event of the account.
            #expect(requests.filter { $0 == "3" } == ["3"])
            withExtendedLifetime(garden) {}
        }
    }

    @Test("After the store's end, each app joins again at its own position and gets the events since then")
    func storeEnds() async throws {
        try await withStream { store, phone, anna, stream, _ in
            var fruit = try await stream.events(subscription(phone, TestStore.bundleIdentifier)).makeAsyncIterator()
            var garden = try await stream.events(subscription(phone, Self.gardenApp)).makeAsyncIterator()
            let snapshot = try #require(try await fruit.next()?.content as? SnapshotEvent)
            _ = try await garden.next()
            let device = DeviceIdentifier(phone.credentials.identifier)
            store.service.hub.end(streamsOf: [device])
            while try await fruit.next() != nil {}
            while try await garden.next() != nil {}
            let missed = try await phone.buy("juice", request: "1", as: anna).transactionIdentifier

            var again = try await stream.events(
                subscription(phone, TestStore.bundleIdentifier, after: snapshot.snapshot.position)
            ).makeAsyncIterator()
            #expect(try await read(&again, untilTransactions: 1) == [missed])
        }
    }

    @Test("When another account signs in between two requests, an app begins anew, and gets its queue")
    func otherAccount() async throws {
        try await withStream { store, phone, anna, stream, wire in
            let berta = try await store.addAccount("berta@example.com")
            var fruit = try await stream.events(subscription(phone, TestStore.bundleIdentifier)).makeAsyncIterator()
            let first = try #require(try await fruit.next()?.content as? SnapshotEvent)
            wire.beforeRequests { _ in
                _ = try await phone.call(SignOutCall(requestIdentifier: "out"))
                try await Self.signIn(berta, on: phone)
                wire.beforeRequests { _ in }
            }

            let garden = try await stream.events(subscription(phone, Self.gardenApp))
            while let event = try await fruit.next() {
                #expect(!(event.content is SnapshotEvent), "a snapshot of another account came in the middle")
            }
            var again = try await stream.events(
                subscription(phone, TestStore.bundleIdentifier, after: first.snapshot.position)
            ).makeAsyncIterator()
            let second = try #require(try await again.next()?.content as? SnapshotEvent)
            #expect(second.snapshot.position?.account == berta.identifier.rawValue)
            #expect(first.snapshot.position?.account == anna.identifier.rawValue)
            withExtendedLifetime(garden) {}
        }
    }
}
