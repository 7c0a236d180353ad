// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreTestSupport
import Testing

@testable import StoreService

/// The numbered news of a device: requests whose answers have changed, and
/// sign-ins.
@Suite(.timeLimit(.hang))
struct DeviceNewsTests {
    private func subscription(_ device: TestDevice, newsAfter number: Int64? = nil) -> EventSubscription {
        EventSubscription(
            credentials: device.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil,
            newsNumber: number)
    }

    /// Asks for a payment and closes its sheet with Cancel.
    private func cancel(_ request: String, on phone: TestDevice) async throws {
        let token = try phone.token(try await phone.ask("apple", request: request).sheet)
        try await phone.store.service.cancelSheet(token)
    }

    @Test("Each cancelled payment is news with the next number", arguments: Engine.stores)
    func numbers(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            var events = try await phone.connection.events(subscription(phone)).makeAsyncIterator()
            _ = try await events.next()

            try await cancel("1", on: phone)
            try await cancel("2", on: phone)

            #expect(try await events.next() == .request(requestIdentifier: "1", number: 1))
            #expect(try await events.next() == .request(requestIdentifier: "2", number: 2))
        }
    }

    @Test("A stream that continues after a number receives the later news, each once", arguments: Engine.stores)
    func continuing(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            for request in ["1", "2", "3"] { try await cancel(request, on: phone) }

            var events = try await phone.connection.events(subscription(phone, newsAfter: 1)).makeAsyncIterator()
            try await cancel("4", on: phone)

            for number in Int64(2)...3 {
                #expect(try await events.next() == .request(requestIdentifier: "\(number)", number: number))
            }
            #expect(try await events.next()?.content is SnapshotEvent)
            #expect(try await events.next() == .request(requestIdentifier: "4", number: 4))
        }
    }

    @Test("A stream that continues after a sign-in doesn't end because of it", arguments: Engine.stores)
    func continuingAfterSignIn(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.signIn(anna)
            try await cancel("1", on: phone)

            var events = try await phone.connection.events(subscription(phone, newsAfter: 0)).makeAsyncIterator()

            var requests: [String] = []
            while let event = try await events.next(), !(event.content is SnapshotEvent) {
                #expect(!(event.content is AccountChangedEvent))
                requests.append((event.content as? RequestEvent)?.requestIdentifier ?? "?")
            }
            #expect(requests == ["sign-in", "1"])
        }
    }

    @Test("A number that the store doesn't have yet is taken for the newest", arguments: Engine.stores)
    func unknownNumber(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            try await cancel("1", on: phone)
            var events = try await phone.connection.events(subscription(phone, newsAfter: 99)).makeAsyncIterator()
            #expect(try await events.next()?.content is SnapshotEvent)

            try await cancel("2", on: phone)

            #expect(try await events.next() == .request(requestIdentifier: "2", number: 2))
        }
    }

    @Test("More news than one read returns all arrive", arguments: Engine.stores)
    func many(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            for number in 1...201 { try await cancel("\(number)", on: phone) }

            var events = try await phone.connection.events(subscription(phone, newsAfter: 0)).makeAsyncIterator()

            for number in Int64(1)...201 {
                #expect(try await events.next() == .request(requestIdentifier: "\(number)", number: number))
            }
        }
    }

    /// Adds news of a device's requests with the numbers from 1 to `count`,
    /// but a sign-in for the number `signIn`.
    private func addNews(_ count: Int, signIn: Int, to device: TestDevice) async throws {
        let rows: [[any DatabaseValueConvertible]] = (1...count).map { number in
            [
                device.credentials.identifier, number, (number == signIn ? DeviceNews.Kind.account : .request).rawValue,
                "\(number)",
            ]
        }
        let database = device.store.context.database
        try await database.write { connection in
            for row in rows {
                try connection.run(
                    """
                    INSERT INTO device_news (environment, device_id, news_number, kind, request_id, created_at)
                    VALUES ('Sandbox', $1, $2, $3, $4, 0)
                    """, row)
            }
            try connection.run("UPDATE device SET news_number = $1", [count])
        }
    }

    /// The numbers of a stream's next news of requests.
    private func numbers(_ count: Int, of feed: EventFeed) async throws -> [Int64] {
        var numbers: [Int64] = []
        while numbers.count < count, case .event(let event) = try await feed.next() {
            // One was taken out of the page.
            #expect(await feed.pending.count < ReadingDeviceNews.limit)
            guard let request = event.content as? RequestEvent else { break }
            numbers.append(request.number ?? 0)
        }
        return numbers
    }

    @Test("A stream keeps one page of a device's news, and sends the snapshot after all", arguments: Engine.stores)
    func pages(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let limit = ReadingDeviceNews.limit
            try await addNews(2 * limit + 1, signIn: limit + 2, to: phone)

            let feed = try await store.service.feed(subscription(phone, newsAfter: 0))
            #expect(await feed.pending.count == limit)

            let expected = (1...Int64(2 * limit + 1)).filter { $0 != Int64(limit + 2) }
            #expect(try await numbers(2 * limit, of: feed) == expected)
            guard case .event(let event) = try await feed.next() else {
                Issue.record("The stream has ended.")
                return
            }
            #expect(event.content is SnapshotEvent)
        }
    }

    @Test("An open stream keeps one page of a device's news", arguments: Engine.stores)
    func laterPages(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let limit = ReadingDeviceNews.limit
            let feed = try await store.service.feed(subscription(phone))
            guard case .event = try await feed.next() else {
                Issue.record("The stream has no snapshot.")
                return
            }

            // The last of them is a sign-in, which ends the stream.
            try await addNews(2 * limit + 1, signIn: 2 * limit + 1, to: phone)
            await store.service.catchUp()

            #expect(try await numbers(2 * limit, of: feed) == (1...Int64(2 * limit)).map { $0 })
            guard case .event(let event) = try await feed.next() else {
                Issue.record("The stream has ended before the sign-in.")
                return
            }
            #expect(event.content is AccountChangedEvent)
            let end = try await feed.next()
            #expect(end == nil)
        }
    }

    @Test("A purchase of the signed-in account is an event, and no news of the device", arguments: Engine.stores)
    func purchase(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.signIn(anna)
            let before = try await store.count("device_news")

            try await phone.buy("apple", request: "1", as: anna)

            #expect(try await store.count("device_news") == before)
        }
    }

    @Test("Each way in which a request ends without its device is news", arguments: Engine.stores)
    func endings(engine: Engine) async throws {
        try await engine.withStore { store in
            let child = try await store.addAccount(asksToBuy: true)
            let phone = try await store.addDevice()
            func news(of request: String) async throws -> Int {
                try await store.count("device_news", where: "request_id = '\(request)'")
            }

            _ = try await phone.ask("apple", request: "expired")
            store.clock.advance(by: Sheet.lifetime)
            _ = try await ExpiringSheets(store.context)()
            #expect(try await news(of: "expired") == 1)

            try await phone.signIn(child)
            _ = try await phone.ask("apple", request: "disapproved")
            try await store.service.decline(try await store.onlyUndecided())
            #expect(try await news(of: "disapproved") == 1)

            _ = try await phone.ask("pear", request: "closed")
            try await ClosingAccount(store.context)(email: child.email)
            #expect(try await news(of: "closed") == 1)
        }
    }

    @Test("A device that is deleted and registers again begins with number 1", arguments: Engine.stores)
    func registeredAgain(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.signIn(anna)
            try await store.context.database.write { connection in
                try connection.run("DELETE FROM sheet")
                try connection.run("DELETE FROM request")
                try connection.run("DELETE FROM device")
            }
            #expect(try await store.count("device_news") == 0)

            _ = try await phone.call(RegisterCall())
            try await cancel("1", on: phone)

            #expect(try await store.count("device_news", where: "news_number = 1") == 1)
        }
    }
}
