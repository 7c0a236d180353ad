// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The event stream, which never leaves a gap.
struct EventTests {
    private func subscription(_ device: TestDevice, after position: EventPosition?) -> EventSubscription {
        EventSubscription(
            credentials: device.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: position)
    }

    @Test("A stream begins with the queue, then tells of each transaction", arguments: Engine.stores)
    func stream(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            var events = try await phone.connection.events(subscription(phone, after: nil)).makeAsyncIterator()
            let one = EventPosition(account: anna.identifier.rawValue, number: 1)
            #expect(
                try await events.next()
                    == .snapshot(QueueSnapshot(position: one, transactions: [apple], storefront: .unitedStates)))

            let pear = try await phone.buy("pear", request: "2", as: anna)

            // The transaction itself, without a hint that makes the device ask for it.
            #expect(
                try await events.next()
                    == .transaction(pear, EventPosition(account: anna.identifier.rawValue, number: 2)))
        }
    }

    @Test(
        "A device is hinted of a request whose purchase was refunded before the stream has read it",
        arguments: Engine.stores)
    func refundedBeforeRead(engine: Engine) async throws {
        try await engine.withStore { store in
            let child = try await store.addAccount(asksToBuy: true)
            let phone = try await store.addDevice()
            try await phone.signIn(child)
            _ = try await phone.ask("apple", request: "1")
            var events = try await phone.connection.events(subscription(phone, after: nil)).makeAsyncIterator()
            _ = try await events.next()

            let number = try await store.onlyUndecided()
            try await store.service.approve(number)
            try await store.service.refund(number)

            #expect(try await events.next() == .request(requestIdentifier: "1"))
            #expect(try await events.next()?.content is PositionEvent)
            #expect(try await events.next()?.content is RevokedEvent)
        }
    }

    @Test("Closing an account through the running store ends its devices' streams", arguments: Engine.stores)
    func closedAccount(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "1", as: anna)
            var events = try await phone.connection.events(subscription(phone, after: nil)).makeAsyncIterator()
            _ = try await events.next()

            let call = try StoreCoding.encode(Control.CloseAccountCall(email: anna.email))
            _ = try await store.service.control(.closeAccount, call)

            #expect(try await events.next()?.content is AccountChangedEvent)
            #expect(try await events.next() == nil)
        }
    }

    @Test(
        "A purchase of an account that has signed out is hinted to the device that asked for it",
        arguments: Engine.stores)
    func boughtForAnotherAccount(engine: Engine) async throws {
        try await engine.withStore { store in
            let child = try await store.addAccount(asksToBuy: true)
            let phone = try await store.addDevice()
            try await phone.signIn(child)
            _ = try await phone.ask("apple", request: "1")
            _ = try await phone.call(SignOutCall(requestIdentifier: "out"))
            var events = try await phone.connection.events(subscription(phone, after: nil)).makeAsyncIterator()
            #expect(try await events.next() == .snapshot(QueueSnapshot(position: nil, transactions: [])))

            try await store.service.approve(try await store.onlyUndecided())

            let hint = try await events.next()?.content as? RequestEvent
            #expect(hint?.requestIdentifier == "1" && hint?.number != nil)
        }
    }

    @Test(
        "A stream that is read too slowly ends, so that its signals don't fill the memory",
        arguments: Engine.stores)
    func slowReader(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let feed = try await store.service.feed(subscription(phone, after: nil))
            for _ in 1...1000 { store.service.hub.heartbeatOfAll() }

            var read = 0
            while try await feed.next() != nil { read += 1 }
            #expect((1..<1000).contains(read))
        }
    }

    @Test(
        "When every stream is taken, the device that has most gives one up for a device that has fewer",
        arguments: Engine.stores)
    func everyStreamTaken(engine: Engine) async throws {
        try await engine.withStore { store in
            let greedy = try await store.addDevice(1)
            var feeds: [EventFeed] = []
            for _ in 0..<3 { feeds.append(try await store.service.feed(subscription(greedy, after: nil))) }
            store.service.hub.limitStreams(to: 3)
            for number in [UInt8(2), 3] {
                let device = try await store.addDevice(number)
                feeds.append(try await store.service.feed(subscription(device, after: nil)))
            }

            for ended in feeds.prefix(2) {
                _ = try await ended.next()
                #expect(try await ended.next() == nil)
            }
            // Each of three devices has one stream now.
            let late = try await store.addDevice(4)
            for device in [greedy, late] {
                let refusal = await #expect(throws: StoreFailure.self) {
                    try await store.service.feed(subscription(device, after: nil))
                }
                #expect(refusal?.code == .unavailable && refusal?.retryAfter != nil)
            }
            withExtendedLifetime(feeds) {}
        }
    }

    @Test("A stream that begins after a number misses nothing and repeats nothing", arguments: Engine.stores)
    func resume(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let pear = try await phone.buy("pear", request: "2", as: anna)
            try await phone.finish(apple.transactionIdentifier)

            func position(_ number: Int64) -> EventPosition {
                EventPosition(account: anna.identifier.rawValue, number: number)
            }
            var events = try await phone.connection.events(subscription(phone, after: position(1)))
                .makeAsyncIterator()

            #expect(try await events.next() == .transaction(pear, position(2)))
            #expect(
                try await events.next()
                    == .removed(transactionIdentifier: apple.transactionIdentifier, receiptChanged: false, position(3)))
        }
    }

    @Test("An unknown number, or another account's, begins with the queue", arguments: Engine.stores)
    func unknownNumber(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)

            for position in [
                EventPosition(account: anna.identifier.rawValue, number: 99),
                EventPosition(account: "other", number: 1),
            ] {
                var events = try await phone.connection.events(subscription(phone, after: position))
                    .makeAsyncIterator()
                let one = EventPosition(account: anna.identifier.rawValue, number: 1)
                #expect(
                    try await events.next()
                        == .snapshot(QueueSnapshot(position: one, transactions: [apple], storefront: .unitedStates)))
            }
        }
    }

    @Test("Who is too far behind gets the queue, not the history", arguments: Engine.stores)
    func farBehind(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            for number in 0..<101 {
                let juice = try await phone.buy("juice", request: "\(number)", as: anna)
                try await phone.finish(juice.transactionIdentifier)
            }

            let first = EventPosition(account: anna.identifier.rawValue, number: 1)
            var events = try await phone.connection.events(subscription(phone, after: first)).makeAsyncIterator()

            let last = EventPosition(account: anna.identifier.rawValue, number: 202)
            #expect(
                try await events.next()
                    == .snapshot(QueueSnapshot(position: last, transactions: [], storefront: .unitedStates)))
        }
    }

    @Test(
        "A purchase that is committed while a stream opens reaches it before the next heartbeat",
        .timeLimit(.hang), arguments: Engine.stores)
    func committedWhileOpening(engine: Engine) async throws {
        // The stream opens with reads of the device's secret and news, the snapshot and the later events.
        for read in 0..<4 {
            try await engine.withDatabase(hasTables: true) { opened in
                let database = InterposedDatabase(opened)
                let store = try await TestStore(database)
                let anna = try await store.addAccount()
                let phone = try await store.addDevice()
                try await phone.signIn(anna)
                database.afterRead(read) { try await phone.buy("apple", request: "1", as: anna) }

                let feed = try await store.service.feed(subscription(phone, after: nil))

                var hasArrived = false
                while !hasArrived, case .event(let event)? = try await feed.next() {
                    switch event.content {
                    case let event as SnapshotEvent: hasArrived = !event.snapshot.transactions.isEmpty
                    case let event as TransactionEvent: hasArrived = event.transaction.requestIdentifier == "1"
                    default: break
                    }
                }
                #expect(hasArrived && !database.cancel(), "after read \(read)")
            }
        }
    }

    @Test("Signing in ends the stream, so that the next one is the account's", arguments: Engine.stores)
    func signedIn(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            var events = try await phone.connection.events(subscription(phone, after: nil)).makeAsyncIterator()
            #expect(try await events.next() == .snapshot(QueueSnapshot(position: nil, transactions: [])))

            try await phone.buy("apple", request: "1", as: anna)

            #expect(try await events.next()?.content is AccountChangedEvent)
            #expect(try await events.next() == nil)
        }
    }
}

extension StorefrontInfo {
    static let unitedStates = StorefrontInfo(countryCode: "USA", identifier: "143441", currency: "USD")
}
