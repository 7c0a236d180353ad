// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The requests of the App Store Server API about notifications.
@Suite(.timeLimit(.hang))
struct ServerNotificationTests {
    private static let url = "https://seller.example/notify"
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    private func settle(_ store: TestStore, _ receiver: RecordedNotifications) async throws {
        var context = store.context
        context.notifications = receiver
        try await SigningNotifications(context, authority: store.service.authority)()
        let sending = SendingNotifications(context)
        for url in try await sending.addresses().map(\.url) { await sending(to: url) }
    }

    private func body(_ store: TestStore, _ others: String = "") -> String {
        let now = store.clock.now.milliseconds
        return #"{"startDate": \#(now - 1000), "endDate": \#(now + 1000)\#(others)}"#
    }

    private func kinds(_ page: [String: Any], _ seller: ServerSeller) throws -> [String] {
        try #require(page["notificationHistory"] as? [[String: Any]]).map { record in
            let payload: NotificationPayload = try seller.verified(try #require(record["signedPayload"] as? String))
            return [payload.notificationType, payload.subtype].compactMap(\.self).joined(separator: "/")
        }
    }

    @Test("A test notification has a token, by which its attempts are read", arguments: Engine.servers)
    func test(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let seller = try await ServerSeller(store, client)
            let path = "v1/notifications/test"
            #expect(try await seller.refusal(path, .post) == "404 4040007")
            try await ChangingNotificationAddresses(store.context).add(Self.url, of: Self.app)
            let token = try #require(try await seller.answer(path, .post)["testNotificationToken"] as? String)
            #expect(try await seller.refusal("\(path)/\(token)") == "404 4040008")

            let receiver = RecordedNotifications()
            try await settle(store, receiver)
            let answer = try await seller.answer("\(path)/\(token)")
            let signed = try #require(answer["signedPayload"] as? String)
            #expect(receiver.requests.map(\.payload) == [signed])
            let payload: NotificationPayload = try seller.verified(signed)
            #expect(payload.notificationType == "TEST" && payload.notificationUUID == token)
            let attempts = try #require(answer["sendAttempts"] as? [[String: Any]])
            #expect(attempts.map { $0["sendAttemptResult"] as? String } == ["SUCCESS"])
            #expect(answer["firstSendAttemptResult"] as? String == "SUCCESS")
            #expect(try await seller.refusal("\(path)/x") == "400 4000020")
            #expect(try await seller.refusal("\(path)/\(UUID().uuidString)") == "404 4040008")
        }
    }

    @Test("A team's key shows no attempt at the operator's addresses", arguments: Engine.servers)
    func operators(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            _ = try await store.service.registeringApp()(
                AppRegistration.Values(
                    bundleIdentifier: "com.example.basket", name: "Basket", sku: "B", primaryLocale: "en_US"),
                by: other)
            let made = try await store.service.managingTeamKeys()
                .make(named: "Server", for: "in-app-purchase", role: "", by: other)
            let operators = try await ServerSeller(store, client)
            var own = operators
            own.seller = try TestSeller(made)
            try await ChangingNotificationAddresses(store.context).add(Self.url)
            let claims = ["bid": "\"com.example.basket\""]
            let test = "v1/notifications/test"
            let ordered = try await own.ask(test, .post, claims: claims).object()
            let token = try #require(ordered["testNotificationToken"] as? String)
            try await settle(store, RecordedNotifications { _ in .timedOut })

            for (seller, attempts, failures) in [(operators, ["TIMED_OUT"], 1), (own, [], 0)] {
                func records(_ others: String = "") async throws -> [[String: Any]] {
                    let page = try await seller.ask(
                        "v1/notifications/history", .post, body(store, others), claims: claims
                    ).object()
                    return try #require(page["notificationHistory"] as? [[String: Any]])
                }
                let record = try #require(try await records().first)
                let sent = try #require(record["sendAttempts"] as? [[String: Any]])
                #expect(sent.compactMap { $0["sendAttemptResult"] as? String } == attempts)
                #expect(try await records(#", "onlyFailures": true"#).count == failures)
            }
            #expect(try await own.refusal("\(test)/\(token)", claims: claims) == "404 4040008")
            #expect(try await operators.ask("\(test)/\(token)", claims: claims).status == .ok)
        }
    }

    @Test("The history is filtered by type, customer and failures, and has pages", arguments: Engine.servers)
    func history(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await ChangingNotificationAddresses(store.context).add(Self.url, of: Self.app)
            let seller = try await ServerSeller(store, client)
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            let berta = try await store.addAccount("berta@example.com")
            let juice = try await phone.buy("juice", request: "1", as: anna).transactionIdentifier
            try await store.service.refund(TransactionIdentifier(juice))
            let failing = RecordedNotifications { $0.kind == "REFUND" ? .timedOut : .success }
            try await settle(store, failing)
            let tablet = try await store.addDevice(2)
            for number in 0..<21 { try await tablet.buy("juice", request: "\(number)", as: berta) }
            let path = "v1/notifications/history"
            // They aren't signed yet.
            let early = try kinds(try await seller.answer(path, .post, body(store)), seller)
            #expect(early.sorted() == ["ONE_TIME_CHARGE", "REFUND"])
            try await settle(store, RecordedNotifications())

            func filtered(_ others: String) async throws -> [String] {
                try kinds(try await seller.answer(path, .post, body(store, others)), seller).sorted()
            }
            #expect(try await filtered(", \"transactionId\": \"\(juice)\"") == ["ONE_TIME_CHARGE", "REFUND"])
            #expect(try await filtered(", \"notificationType\": \"REFUND\"") == ["REFUND"])
            #expect(try await filtered(", \"notificationType\": \"EXPIRED\"").isEmpty)
            #expect(try await filtered(", \"onlyFailures\": true") == ["REFUND"])
            let first = try await seller.answer(path, .post, body(store))
            #expect(first["hasMore"] as? Bool == true)
            let token = try #require(first["paginationToken"] as? String)
            let second = try await seller.answer("\(path)?paginationToken=\(token)", .post, body(store))
            #expect(try kinds(first, seller).count == 20 && kinds(second, seller).count == 3)
            #expect(second["hasMore"] as? Bool == false && second["paginationToken"] == nil)
        }
    }

    @Test(
        "The history goes back 30 days in the sandbox and 180 in production", arguments: Engine.servers,
        [(StoreEnvironment.sandbox, Int64(30)), (.production, 180)])
    func longest(engine: Engine, limit: (environment: StoreEnvironment, days: Int64)) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: limit.environment)
            try await store.withHTTP { client in
                let seller = try await ServerSeller(store, client)
                let oldest = store.clock.now.milliseconds - limit.days * 86_400_000
                func ask(from start: Int64) async throws -> TestResponse {
                    let body = #"{"startDate": \#(start), "endDate": \#(oldest + 1)}"#
                    return try await seller.ask("v1/notifications/history", .post, body)
                }
                #expect(try await ask(from: oldest).status == .ok)
                let refused = try await ask(from: oldest - 1)
                #expect(refused.status == .badRequest)
                #expect(try refused.object()["errorCode"] as? Int == 4_000_012)
            }
        }
    }

    @Test("Wrong fields have Apple's numbers", arguments: Engine.servers)
    func refused(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let seller = try await ServerSeller(store, client)
            let oldest = store.clock.now.milliseconds - 30 * 86_400_000
            let allowed = #"{"startDate": \#(oldest), "endDate": \#(oldest + 1)}"#
            #expect(try await seller.answer("v1/notifications/history", .post, allowed)["hasMore"] as? Bool == false)
            let wrong = [
                ("[]", 4_000_000), (#"{"endDate": 2}"#, 4_000_015), (#"{"startDate": "1", "endDate": 2}"#, 4_000_015),
                (#"{"startDate": 1}"#, 4_000_016), (#"{"startDate": 2, "endDate": 2}"#, 4_000_013),
                (body(store, #", "notificationType": "OTHER""#), 4_000_018),
                (body(store, #", "notificationSubtype": "UPGRADE""#), 4_000_018),
                (body(store, #", "notificationType": "EXPIRED", "notificationSubtype": "OTHER""#), 4_000_018),
                (body(store, #", "notificationType": "TEST", "transactionId": "1""#), 4_000_019),
                (body(store, #", "transactionId": "x""#), 4_000_006),
                (body(store, #", "originalTransactionId": "x""#), 4_000_008),
                (body(store, #", "onlyFailures": 1"#), 4_000_000),
                (#"{"startDate": 1, "endDate": 2}"#, 4_000_012),
                (#"{"startDate": \#(oldest - 1), "endDate": \#(oldest)}"#, 4_000_012),
            ]
            for (body, code) in wrong {
                #expect(try await seller.refusal("v1/notifications/history", .post, body) == "400 \(code)", "\(body)")
            }
            let unknown = body(store, #", "transactionId": "2000000000000001""#)
            #expect(try await seller.refusal("v1/notifications/history", .post, unknown) == "404 4040010")
            let path = "v1/notifications/history?paginationToken=1_x"
            #expect(try await seller.refusal(path, .post, body(store)) == "400 4000014")
        }
    }
}
