// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDomain

/// When notifications are sent: their order, their repeats, and those that
/// others must not delay.
@Suite(.timeLimit(.hang))
struct NotificationScheduleTests {
    private static let url = "https://seller.example/notify"
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    /// An authority that a test may change, with the leaves of production.
    private func authority(_ store: TestStore) throws -> SigningAuthority {
        var random = SeededGenerator(seed: 11)
        let authority = try SigningAuthority.create(using: &random)
        try authority.rotateLeaves(of: .production, now: store.clock.now.date, publicAddress: nil, using: &random)
        return authority
    }

    private func send(_ store: TestStore, signedBy authority: SigningAuthority? = nil) async throws {
        try await SigningNotifications(store.context, authority: authority ?? store.service.authority)()
        let sending = SendingNotifications(store.context)
        for url in try await sending.addresses(of: Self.app).map(\.url) { await sending(to: url) }
    }

    @Test(
        "Production repeats an attempt 1, 12, 24, 48 and 72 hours later, in the time outside", arguments: Engine.stores)
    func production(engine: Engine) async throws {
        let receiver = RecordedNotifications { _ in .noResponse }
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production, notifications: receiver)
            let authority = try authority(store)
            try await ChangingNotificationAddresses(store.context).add(Self.url, of: Self.app)
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await phone.buy("juice", request: "1", as: anna)
            try await send(store, signedBy: authority)
            #expect(receiver.requests.count == 1)
            for (number, hours) in [1, 12, 24, 48, 72].enumerated() {
                store.clock.advance(by: .seconds(hours * 3600 - 1))
                try await send(store)
                #expect(receiver.requests.count == number + 1)
                store.clock.advance(by: .seconds(1))
                try await send(store)
                #expect(receiver.requests.count == number + 2)
            }
            store.clock.advance(by: .seconds(365 * 86_400))
            try await send(store)
            #expect(receiver.requests.count == 6 && Set(receiver.requests.map(\.body)).count == 1)
            let delivery = try #require(try await ListingNotifications(store.context)().first?.deliveries.first)
            #expect(delivery.state == .failed && delivery.due == nil)
        }
    }

    @Test("A repeat after a rotation of the certificates has the same bytes", arguments: Engine.stores)
    func rotation(engine: Engine) async throws {
        let receiver = RecordedNotifications()
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: receiver)
            let authority = try authority(store)
            try await ChangingNotificationAddresses(store.context).add(Self.url, of: Self.app)
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await phone.buy("juice", request: "1", as: anna)
            try await send(store, signedBy: authority)

            var random = SeededGenerator(seed: 12)
            try authority.rotateLeaves(of: .sandbox, now: store.clock.now.date, publicAddress: nil, using: &random)
            try await phone.buy("juice", request: "2", as: anna)
            try await send(store, signedBy: authority)
            let first = try #require(receiver.requests.first?.notification?.notificationUUID)
            try await ListingNotifications(store.context).sendAgain(first)
            try await send(store, signedBy: authority)

            #expect(receiver.requests.count == 3 && receiver.requests[2] == receiver.requests[0])
            let headers = receiver.requests.map { $0.payload.split(separator: ".").first }
            #expect(headers[1] != headers[0])
            for request in receiver.requests {
                let jws = try UnverifiedJWS<NotificationPayload>(parsing: request.payload)
                guard case .verified = authority.jwsVerifier.verify(jws, expecting: .init()) else {
                    Issue.record("\(request.kind) isn't accepted")
                    continue
                }
            }
        }
    }

    @Test("A notification that can't be signed delays no other, and follows when it can", arguments: Engine.stores)
    func unsignable(engine: Engine) async throws {
        let receiver = RecordedNotifications()
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: receiver)
            try await ChangingNotificationAddresses(store.context).add(Self.url, of: Self.app)
            try await store.sellBaskets()
            let anna = try await store.subscriber(1)
            let small = try await anna.buy("small").transactionIdentifier
            try await anna.buy("juice")
            let bea = try await store.subscriber(2)
            try await bea.buy("small")
            try await setOffer("spoilt", of: small, store)

            let reports = Attempts()
            let signing = SigningNotifications(store.context, authority: store.service.authority)
            try await signing { _ in reports.begin() }
            try await send(store)
            #expect(reports.begun == 1)
            #expect(receiver.kinds.sorted() == ["ONE_TIME_CHARGE", "SUBSCRIBED/INITIAL_BUY"])

            try await setOffer(nil, of: small, store)
            try await send(store)
            #expect(receiver.requests.count == 3)
            #expect(receiver.kinds.last == "SUBSCRIBED/INITIAL_BUY")
        }
    }

    /// Writes the column that has the offer of a period.
    private func setOffer(_ text: String?, of transaction: String, _ store: TestStore) async throws {
        try await store.context.database.write { connection in
            try connection.run("UPDATE purchase SET offer = $1 WHERE transaction_id = $2", [text, transaction])
        }
    }

    @Test(
        "Two processes send a subscription's notifications one after another, in the order of their causes",
        arguments: Engine.stores)
    func oneAfterAnother(engine: Engine) async throws {
        let attempts = Attempts()
        try await sendFromTwo(engine, attempts) { database in
            // The other process can begin an attempt while these statements run.
            for _ in 0..<5 {
                _ = try? await database.read { try $0.row("SELECT count(*) AS n FROM notification_turn") }
            }
        } check: { store, receiver in
            #expect(attempts.overlaps == 0)
            let sent = receiver.requests.compactMap { $0.notification?.notificationUUID }
            let listed = try await ListingNotifications(store.context)().map(\.notification.identifier)
            #expect(sent.count == 25 && sent == listed.reversed())
        }
    }

    @Test("Without turns two processes send at the same time, which the receiver notices", arguments: Engine.stores)
    func withoutTurns(engine: Engine) async throws {
        let attempts = Attempts()
        try await sendFromTwo(engine, attempts) { database in
            _ = try? await database.write { try $0.run("DELETE FROM notification_turn") }
            try? await until { attempts.overlaps > 0 }
        } check: { _, receiver in
            #expect(attempts.overlaps > 0 && Set(receiver.requests).count < receiver.requests.count)
        }
    }

    /// Sends the 25 notifications of one subscription from two processes, which
    /// run `during` while each is on its way.
    private func sendFromTwo(
        _ engine: Engine, _ attempts: Attempts, during: @escaping @Sendable (any Database) async -> Void,
        check: (TestStore, RecordedNotifications) async throws -> Void
    ) async throws {
        try await engine.withTwoDatabases(hasTables: true) { one, other in
            let receiver = RecordedNotifications { _ in
                attempts.begin()
                await during(one)
                attempts.end()
                return .success
            }
            let store = try await TestStore(one, notifications: receiver)
            let second = try await TestStore(other, seed: 8, notifications: receiver)
            try await ChangingNotificationAddresses(store.context).add(Self.url, of: Self.app)
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            try await anna.buy("small")
            for _ in 0..<12 { for renews in [false, true] { try await anna.setRenewal(renews) } }

            async let left: Void = sendAll(store)
            async let right: Void = sendAll(second)
            _ = try await (left, right)
            try await check(store, receiver)
        }
    }

    /// Sends as a node does, until nothing is due.
    private func sendAll(_ store: TestStore) async throws {
        repeat {
            try await letOthersRun()
            try await send(store)
        } while try await !ListingNotifications(store.context).isSettled(of: Self.app)
    }

    @Test("A receiver that doesn't answer holds up no other one, in no round", arguments: Engine.stores)
    func slow(engine: Engine) async throws {
        let (quick, slow) = ("https://quick.example/", "https://slow.example/")
        let opened = Attempts()
        let receiver = RecordedNotifications { request in
            if request.url == slow { try? await until { opened.begun > 0 } }
            return .success
        }
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: receiver)
            for url in [slow, quick] { try await ChangingNotificationAddresses(store.context).add(url, of: Self.app) }
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            func received(_ url: String, _ count: Int) async throws {
                try await until {
                    store.clock.advance(by: .milliseconds(200))
                    return receiver.requests.count { $0.url == url } == count
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await StoreHousekeeping(store.service).run() }
                for number in 1...5 {
                    try await phone.buy("juice", request: "\(number)", as: anna)
                    try await received(quick, number)
                    try await received(slow, 1)
                }
                opened.begin()
                try await received(slow, 5)
                group.cancelAll()
            }
            #expect(Set(receiver.requests).count == receiver.requests.count)
        }
    }
}

/// Counts the attempts, and those that begin while an earlier one hasn't ended.
private final class Attempts: Sendable {
    private let counts = Mutex((begun: 0, ended: 0, overlaps: 0))

    var begun: Int { counts.withLock { $0.begun } }
    var overlaps: Int { counts.withLock { $0.overlaps } }

    func begin() {
        counts.withLock { counts in
            if counts.begun > counts.ended { counts.overlaps += 1 }
            counts.begun += 1
        }
    }

    func end() { counts.withLock { $0.ended += 1 } }
}
