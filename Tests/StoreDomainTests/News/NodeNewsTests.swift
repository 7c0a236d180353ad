// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// Events and news that reach the streams of another node, with an
/// announcement or without one.
@Suite(.timeLimit(.hang))
struct NodeNewsTests {
    private func subscription(_ device: TestDevice) -> EventSubscription {
        EventSubscription(
            credentials: device.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil)
    }

    @Test("A purchase whose announcement was lost reaches the stream of another node", arguments: Engine.stores)
    func purchase(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let customer = try await nodes.customer(1)
            let feed = try await nodes.first.service.feed(subscription(customer.phone))
            _ = try await feed.next()
            let phone = TestDevice(number: 1, store: nodes.second)

            let apple = try await phone.buy("apple", request: "1", as: customer.account)
            await nodes.first.service.catchUp()

            guard case .event(let event) = try await feed.next() else { throw Missing() }
            #expect((event.content as? TransactionEvent)?.transaction == apple)
        }
    }

    @Test("A cancelled payment whose announcement was lost reaches another node", arguments: Engine.stores)
    func cancel(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let phone = try await nodes.first.addDevice()
            let feed = try await nodes.first.service.feed(subscription(phone))
            _ = try await feed.next()

            let token = try phone.token(try await phone.ask("apple", request: "1").sheet)
            try await nodes.second.service.cancelSheet(token)
            await nodes.first.service.catchUp()

            guard case .event(let event) = try await feed.next() else { throw Missing() }
            #expect(event == .request(requestIdentifier: "1", number: 1))
        }
    }

    @Test("A sign-in that another version has made, without news, reaches the stream", arguments: Engine.stores)
    func signInOfAnotherVersion(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let anna = try await nodes.first.addAccount()
            let phone = try await nodes.first.addDevice()
            let feed = try await nodes.first.service.feed(subscription(phone))
            _ = try await feed.next()

            try await nodes.second.context.database.write { connection in
                try connection.run(
                    "UPDATE device SET account_id = $1, account_bucket = $2",
                    [anna.identifier.rawValue, anna.identifier.bucket])
            }
            await nodes.first.service.catchUp()

            guard case .event(let event) = try await feed.next() else { throw Missing() }
            #expect((event.content as? SnapshotEvent)?.snapshot.position?.account == anna.identifier.rawValue)
        }
    }

    @Test("Heartbeats read nothing, and a catch-up takes two reads for a hundred devices", arguments: Engine.stores)
    func cost(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { opened in
            let database = OverloadedDatabase(opened)
            let store = try await TestStore(database)
            var feeds: [EventFeed] = []
            for number in 1...100 {
                let phone = try await store.addDevice(UInt8(number))
                let account = try await OpeningTestAccount(store.context)(
                    email: "\(number)@example.com", storefront: "USA",
                    device: DeviceIdentifier(phone.credentials.identifier), secret: phone.credentials.secret)
                _ = account
                let feed = try await store.service.feed(subscription(phone))
                _ = try await feed.next()
                feeds.append(feed)
            }

            database.refuse(after: 0)
            store.service.hub.heartbeatOfAll()
            for feed in feeds {
                guard case .heartbeat = try await feed.next() else { throw Missing() }
            }
            #expect(!database.recover())

            // The two reads of the catch-up are accepted; it wakes no stream.
            database.refuse(after: 2)
            await store.service.catchUp()
            store.service.hub.heartbeatOfAll()
            for feed in feeds {
                guard case .heartbeat = try await feed.next() else { throw Missing() }
            }
            #expect(!database.recover())
        }
    }

    @Test("A commit is announced once, with the highest number of each subject", arguments: Engine.stores)
    func announced(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let bus = LossyBus()
            let store = try await TestStore(database, bus: bus)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()

            try await phone.signIn(anna)
            try await phone.buy("apple", request: "1", as: anna)

            // The sign-in and its request are one commit.
            let device = Announcement(.device(DeviceIdentifier(phone.credentials.identifier)), 2)
            #expect(bus.announcements == [device, Announcement(.account(anna.identifier), 1)])
        }
    }

    @Test("A bus combines waiting announcements, and passes them to the other nodes of its environment only")
    func sharedBus() {
        let channels = [MemoryChannel(), MemoryChannel(), MemoryChannel()]
        let sender = SharedNewsBus(channels[0], environment: .sandbox)
        let receiver = SharedNewsBus(channels[1], environment: .sandbox)
        let stranger = SharedNewsBus(channels[2], environment: .production)
        let received = Mutex<Set<Announcement>>([])
        receiver.subscribe { announcements in received.withLock { $0.formUnion(announcements) } }
        stranger.subscribe { announcements in
            received.withLock { $0.formUnion(announcements + [.init(.account("?"), 0)]) }
        }

        for number in Int64(1)...1000 {
            sender.publish([Announcement(.account("anna"), number), Announcement(.device("phone"), number)])
        }

        #expect(channels[0].carry(to: channels[1]).count == 1)
        let newest: Set = [Announcement(.account("anna"), 1000), Announcement(.device("phone"), 1000)]
        #expect(received.withLock { $0 } == newest)
        sender.publish([Announcement(.account("anna"), 1001)])
        #expect(channels[0].carry(to: channels[2]).count == 1)
        #expect(received.withLock { $0 } == newest)
        withExtendedLifetime((sender, receiver, stranger)) {}
    }

    @Test("Many announcements are divided into texts that a notification can have")
    func longTexts() {
        let channels = [MemoryChannel(), MemoryChannel()]
        let sender = SharedNewsBus(channels[0], environment: .sandbox)
        let receiver = SharedNewsBus(channels[1], environment: .sandbox)
        let received = Mutex<[Announcement]>([])
        receiver.subscribe { announcements in received.withLock { $0 += announcements } }
        let sent = (Int64(1)...1000).map { Announcement(.account("account-\($0)"), $0) }

        sender.publish(sent)
        let texts = channels[0].carry(to: channels[1])

        #expect(texts.count > 1)
        #expect(texts.allSatisfy { $0.utf8.count <= NotificationLimits.bytes })
        #expect(Set(received.withLock { $0 }) == Set(sent) && received.withLock { $0.count } == 1000)
        withExtendedLifetime((sender, receiver)) {}
    }

    private struct Missing: Error {}
}
