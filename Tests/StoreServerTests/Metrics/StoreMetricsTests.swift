// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

@testable import StoreServer

/// The numbers that a store counts, and the labels that it counts them with.
struct StoreMetricsTests {
    @Test("Purchases, declines, refunds and signatures are counted once", arguments: Engine.servers)
    func sales(engine: Engine) async throws {
        try await engine.withMetrics { metered in
            let store = metered.store
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let apple = try await device.buy("apple", request: "apple", as: anna)
            try await device.buy("seed", request: "seed", as: anna)
            try await device.buy("juice", request: "juice", as: anna)
            _ = try await device.receiptAnswer()
            store.cardLimit.milliunits = 0
            let declined = try device.token(try await device.ask("pear", request: "pear").sheet)
            await #expect(throws: DomainError.self) {
                _ = try await store.service.buy(onSheet: declined, as: anna, shown: nil)
            }
            _ = try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            _ = try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))

            let scrape = try await metered.scrape()

            func value(_ name: String, _ kind: String) throws -> Double {
                try scrape.value("openstorekit_\(name)_total", ["environment": "sandbox", "kind": kind])
            }
            #expect(try value("purchases", "non_consumable") == 2)
            #expect(try value("purchases", "consumable") == 1)
            #expect(try value("purchases", "other") == 0)
            #expect(try value("declines", "non_consumable") == 1)
            #expect(try value("refunds", "non_consumable") == 1)
            #expect(try scrape.value("openstorekit_signatures_total", ["form": "receipt"]) == 1)
            #expect(try scrape.value("openstorekit_password_hashes") == 0)
        }
    }

    @Test("Two stores of a process count separately, and a store without a backend counts nothing")
    func separate() async throws {
        try await Engine.sqliteMemory.withMetrics { first in
            try await Engine.sqliteMemory.withMetrics { second in
                let anna = try await first.store.addAccount()
                try await first.store.addDevice().buy("juice", request: "r", as: anna)
                let kind = ["kind": "consumable"]
                #expect(try await first.scrape().value("openstorekit_purchases_total", kind) == 1)
                #expect(try await second.scrape().value("openstorekit_purchases_total", kind) == 0)
            }
        }
    }

    @Test("Requests of random paths and methods have one series for each common method and one for the others")
    func hostilePaths() async throws {
        try await Engine.sqliteMemory.withMetrics { metered in
            var generator = SeededGenerator(seed: 5)
            for number in 0..<200 {
                let path = "/\(UInt64.random(in: 0 ... .max, using: &generator))/%22%0A\(number)?q=\(number)"
                #expect(try await metered.client.get(path).status == .notFound)
                _ = try await metered.client.get("/sheet/\(number)")
                _ = try await metered.client.post("/nothing/x\(number)", "")
                let method = try #require(HTTPRequest.Method("PLANT\(number)"))
                _ = try await metered.client.executeRequest(
                    uri: "/device/v1/queue", method: method, headers: [:], body: nil)
            }
            let scrape = try await metered.scrape()
            let requests = scrape.samples(of: "openstorekit_http_requests_total")
            let series = requests.map { [$0.labels["route"], $0.labels["method"], $0.labels["status"]] }
            #expect(
                Set(series) == [
                    ["none", "GET", "404"], ["none", "POST", "404"], ["none", "other", "404"],
                    ["/sheet/{token}", "GET", "404"],
                ])
            #expect(requests.allSatisfy { $0.value == 200 })
            #expect(!metered.backend.text().contains("PLANT"))
        }
    }

    @Test("A request is counted by its route, method and status, and timed")
    func requests() async throws {
        try await Engine.sqliteMemory.withMetrics { metered in
            let device = try await metered.store.addDevice()
            _ = try await metered.client.get("/healthz")
            _ = try await metered.client.get("/healthz")
            _ = try await metered.client.get("/device/v1/queue")
            _ = try await metered.client.post("/device/v1/queue", "{", headers: device.headers)
            _ = try await metered.client.post("/device/v1/queue", "{}")

            let scrape = try await metered.scrape()

            func count(_ route: String, _ method: String, _ status: String) throws -> Double {
                try scrape.value(
                    "openstorekit_http_requests_total", ["route": route, "method": method, "status": status])
            }
            #expect(try count("/healthz", "GET", "200") == 2)
            #expect(try count("/device/v1/queue", "GET", "405") == 1)
            #expect(try count("/device/v1/queue", "POST", "400") == 1)
            #expect(try count("/device/v1/queue", "POST", "401") == 1)
            let labels = ["route": "/device/v1/queue", "method": "POST"]
            #expect(try scrape.value("openstorekit_http_request_duration_seconds_count", labels) == 2)
            #expect(try scrape.value("openstorekit_http_request_duration_seconds_sum", labels) > 0)
        }
    }

    @Test("Open streams are counted, and a signal without room ends its stream", arguments: Engine.servers)
    func streams(engine: Engine) async throws {
        try await engine.withMetrics { metered in
            let device = try await metered.store.addDevice()
            let feed = try await metered.store.service.feed(
                EventSubscription(
                    credentials: device.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))
            #expect(try await metered.scrape().value("openstorekit_event_streams") == 1)
            for _ in 0..<300 { metered.store.service.hub.heartbeatOfAll() }
            let scrape = try await metered.scrape()
            #expect(try scrape.value("openstorekit_event_signals_dropped_total") == 1)
            #expect(try scrape.value("openstorekit_event_streams") == 0)
            withExtendedLifetime(feed) {}
        }
    }

    @Test(
        "A payment that isn't completed is in the backlog, which is read every five seconds", arguments: Engine.servers)
    func backlog(engine: Engine) async throws {
        try await engine.withMetrics(provider: Unreachable()) { metered in
            let store = metered.store
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let work = ["work": "payments"]
            #expect(try await metered.scrape().value("openstorekit_backlog", work) == 0)
            #expect(try await metered.scrape().value("openstorekit_backlog_oldest_age_seconds", work) == 0)

            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)
            let request = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            #expect(request.status == .processing)
            store.clock.advance(by: .seconds(4))
            #expect(try await metered.scrape().value("openstorekit_backlog", work) == 0)
            store.clock.advance(by: .seconds(3))
            #expect(try await metered.scrape().value("openstorekit_backlog", work) == 1)
            #expect(try await metered.scrape().value("openstorekit_backlog_oldest_age_seconds", work) == 7)
            store.clock.advance(by: .seconds(-60))
            #expect(try await metered.scrape().value("openstorekit_backlog_oldest_age_seconds", work) == 0)
            #expect(try await metered.scrape().value("openstorekit_purchases_total", ["kind": "non_consumable"]) == 0)
        }
    }

    @Test("Sheets to end, provider events that wait, and leases are shown", arguments: Engine.servers)
    func dueWork(engine: Engine) async throws {
        try await engine.withMetrics { metered in
            let store = metered.store
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            try await device.buy("juice", request: "juice", as: anna)
            _ = try await device.ask("apple", request: "apple")
            // The store doesn't know the payment of this event.
            try await store.service.receive(ProviderEvent(identifier: "e", payment: "unknown", kind: .disputed))
            try await store.context.database.write { [now = store.clock.now.milliseconds] connection in
                _ = try connection.run(
                    """
                    UPDATE payment SET status = 'committed', lease_owner = 'dead', leased_until = wall_now($1) - 1000
                    WHERE status = 'captured'
                    """, [now])
                try Self.addWork(of: anna, at: now, connection)
            }
            store.clock.advance(by: .seconds(660))

            let scrape = try await metered.scrape()

            let expected = [
                "payments": (1.0, 660.0), "renewals": (0, 0), "provider_events": (1, 660), "sheets": (1, 60),
                "mail": (1, 660), "sharing": (1, 0), "price_changes": (1, 660), "mass_extensions": (1, 660),
                "sales": (1, 0), "notifications": (0, 0),
            ]
            for (work, (count, age)) in expected {
                #expect(try scrape.value("openstorekit_backlog", ["work": work]) == count, "\(work)")
                #expect(
                    try scrape.value("openstorekit_backlog_oldest_age_seconds", ["work": work]) == age, "\(work)")
            }
            for work in LeaseCount.Kind.allCases.map(\.rawValue) {
                func leases(_ state: String) throws -> Double {
                    try scrape.value("openstorekit_leases", ["work": work, "state": state])
                }
                #expect(try leases("held") == 0, "\(work)")
                #expect(try leases("expired") == (work == "payments" ? 1 : 0), "\(work)")
            }
        }
    }

    @Test("Undelivered notifications and the results of attempts are shown", arguments: Engine.servers)
    func notifications(engine: Engine) async throws {
        try await engine.withMetrics { metered in
            let store = metered.store
            try await ChangingNotificationAddresses(store.context).add("https://seller.example/notify")
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            for request in ["1", "2"] { try await device.buy("juice", request: request, as: anna) }
            let signing = SigningNotifications(store.context, authority: store.service.authority)
            try await signing()
            try await device.buy("juice", request: "3", as: anna)
            store.clock.advance(by: .seconds(90))

            var scrape = try await metered.scrape()
            let work = ["work": "notifications"]
            #expect(try scrape.value("openstorekit_backlog", work) == 3)
            #expect(try scrape.value("openstorekit_backlog_oldest_age_seconds", work) == 90)

            try await signing()
            var context = store.context
            context.notifications = RecordedNotifications { _ in .timedOut }
            await SendingNotifications(context)(to: "https://seller.example/notify")
            store.clock.advance(by: .seconds(90))
            scrape = try await metered.scrape()
            #expect(try scrape.value("openstorekit_backlog", work) == 0)
            let attempts = "openstorekit_notification_attempts_total"
            #expect(try scrape.value(attempts, ["result": "timed_out"]) == 3)
            #expect(try scrape.value(attempts, ["result": "success"]) == 0)
        }
    }

    /// Adds a message, a change of an account in a family, a change of a price
    /// and an extension of all subscribers, which are due.
    private static func addWork(of account: Account, at now: Int64, _ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO mail_order (environment, order_id, kind, recipient, tries, due_at, created_at)
            VALUES ('Sandbox', 'm', 'address', 'berta@example.com', 0, $1, $1)
            """, [now])
        try connection.run(
            """
            INSERT INTO family_sharing (environment, account_id, bucket, revision, done) VALUES ('Sandbox', $1, $2, 1, 0)
            """, [account.identifier, account.identifier.bucket])
        try connection.run(
            """
            INSERT INTO price_change (environment, change_id, bundle_id, product_id, storefront, milliunits, starts_at,
                subscribers, consent, created_at)
            VALUES ('Sandbox', 'c', 'com.example.fruit', 'juice', '', 990, $1, 'all', 'asked', $1)
            """, [now])
        try connection.run(
            """
            INSERT INTO mass_extension (environment, bundle_id, product_id, request_id, days, reason, storefronts, place,
                succeeded, failed, created_at)
            VALUES ('Sandbox', 'com.example.fruit', 'small', 'r', 1, 1, '', '', 0, 0, $1)
            """, [now])
    }

    @Test("An unreachable database is shown, and not read")
    func unreachable() async throws {
        let backend = PrometheusMetrics()
        let store = Store(
            StoreConfiguration(
                database: Gone(), clock: TestClock().wallClock, random: RandomSource(SeededGenerator(seed: 1))),
            serving: ServingConfiguration(
                authority: try TestStore.authority.get(), publicURL: "https://store.example", logger: .silent))
        let scrape = try Scrape(await StoreGauges(store.service, backend).text())
        #expect(try scrape.value("openstorekit_database_reachable") == 0)
        #expect(try scrape.value("openstorekit_database_waiting", ["access": "write"]) == 12)
        #expect(try scrape.value("openstorekit_database_connections", ["state": "in_use"]) == 3)
        for work in Backlog.Kind.allCases.map(\.rawValue) {
            #expect(try scrape.value("openstorekit_backlog", ["work": work]).isNaN)
            #expect(try scrape.value("openstorekit_backlog_oldest_age_seconds", ["work": work]).isNaN)
        }
        for state in ["held", "expired"] {
            #expect(try scrape.value("openstorekit_leases", ["work": "payments", "state": state]).isNaN)
        }
    }

    /// A provider whose answers don't arrive.
    private struct Unreachable: PaymentProvider {
        private let error = DomainError(.providerUnavailable, "The provider doesn't answer.")

        func authorise(_ paymentNumber: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation
        { throw error }
        func lookUp(_ paymentNumber: PaymentIdentifier) async throws -> Authorisation? { throw error }
        func capture(_ paymentNumber: PaymentIdentifier) async throws { throw error }
        func reverse(_ refund: RefundIdentifier, of paymentNumber: PaymentIdentifier, amount: Money) async throws {
            throw DomainError(.providerUnavailable, "out of order")
        }
        func refund(_ refund: RefundIdentifier, of paymentNumber: PaymentIdentifier, amount: Money) async throws {
            throw error
        }
        func void(_ paymentNumber: PaymentIdentifier) async throws { throw error }
    }

    /// A database whose server was lost. A test that uses it fails.
    private struct Gone: Database {
        private struct Used: Error {}

        var load: DatabaseLoad {
            var load = DatabaseLoad()
            load.connectionsInUse = 3
            load.waitingWrites = 12
            load.isReachable = false
            return load
        }

        @discardableResult
        func write<T: Sendable>(
            _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
        ) async throws -> T {
            throw used()
        }

        func read<T: Sendable>(
            isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
        ) async throws -> T {
            throw used()
        }

        func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
            throw used()
        }
        func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
            throw used()
        }
        func close() throws {}

        private func used() -> Used {
            Issue.record("The database was used.")
            return Used()
        }
    }
}
