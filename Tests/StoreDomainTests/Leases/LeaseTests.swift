// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Two nodes of one store share the work that is due by leases.
@Suite(.timeLimit(.hang))
struct LeaseTests {
    /// Longer than the tests take: on PostgreSQL leases run out in real time.
    private static let duration: Duration = .beyondTests
    private static let milliseconds = duration.components.seconds * 1000

    /// Two nodes with one payment provider.
    private func withNodes(
        _ engine: Engine, _ body: (TestStore, TestStore, CountingProvider) async throws -> Void
    ) async throws {
        try await engine.withNodes(
            provider: { CountingProvider(SandboxPaymentProvider(database: $0, clock: $1.wallClock)) },
            leaseDuration: Self.duration
        ) { nodes in
            try await body(nodes.first, nodes.second, try #require(nodes.first.context.provider as? CountingProvider))
        }
    }

    /// Runs code while the provider holds up a payment of a store; the payment
    /// is completed afterwards.
    private func whilePaying(
        in store: TestStore, _ provider: CountingProvider, _ body: () async throws -> Void
    ) async throws {
        let anna = try await store.addAccount()
        let phone = try await store.addDevice()
        let token = try phone.token(try await phone.ask("juice", request: "1").sheet)
        provider.close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The group waits for the payment, also if the body throws.
            defer { provider.open() }
            group.addTask {
                try await provider.passingFailures {
                    _ = try await store.service.buy(onSheet: token, as: anna, shown: nil)
                }
            }
            try await provider.untilHeld()
            try await body()
            provider.open()
            try await group.waitForAll()
        }
    }

    /// Leaves payments as a process leaves them that ended after the
    /// reservation: `owner` has leases that it doesn't renew any more.
    private func leave(_ count: Int, in store: TestStore, owner: String = "dead") async throws {
        let anna = try await store.addAccount()
        let phone = try await store.addDevice()
        for number in 0..<count { try await phone.buy("juice", request: "\(number)", as: anna) }
        // The purchases are undone, so that only the reservations are left.
        try await store.context.database.write { [now = store.clock.now.milliseconds] connection in
            for table in ["queue_entry", "uncounted_sale", "ledger_entry", "purchase", "sandbox_payment"] {
                try connection.run("DELETE FROM \(table)")
            }
            try connection.run("UPDATE request SET status = 'processing', transaction_id = NULL, event_number = NULL")
            try connection.run(
                """
                UPDATE payment
                SET status = 'reserved', lease_owner = $1, leased_until = wall_now($2) + \(Self.milliseconds)
                """, [owner, now])
        }
    }

    /// Moves the end of all leases to the past.
    private func endLeases(in store: TestStore) async throws {
        try await store.context.database.write { connection in
            _ = try connection.run(
                """
                UPDATE payment SET leased_until = leased_until - \(Self.milliseconds + 60_000) WHERE leased_until > 0
                """)
        }
    }

    private func recover(_ store: TestStore) async throws {
        try await RecoveringPayments(store.context)(begunUntil: WallTime(milliseconds: .max))
    }

    @Test("The payments of a process that ended are taken when its leases have run out", arguments: Engine.stores)
    func ofADeadNode(engine: Engine) async throws {
        try await withNodes(engine) { first, second, _ in
            try await leave(3, in: first)

            try await recover(second)
            #expect(try await second.ledger().isEmpty)

            try await endLeases(in: first)
            try await recover(second)
            #expect(try await second.ledger() == [490, 490, 490])
        }
    }

    @Test("Held leases are counted, and expired ones until their work is complete", arguments: Engine.stores)
    func counted(engine: Engine) async throws {
        try await withNodes(engine) { first, second, provider in
            func leases() async throws -> LeaseCount? {
                try await ReadingBacklogs(second.context)().leases[.payments]
            }
            try await whilePaying(in: first, provider) {
                #expect(try await leases() == LeaseCount(held: 1, expired: 0))
                try await endLeases(in: first)
                #expect(try await leases() == LeaseCount(held: 0, expired: 1))
            }
            #expect(try await leases() == LeaseCount(held: 0, expired: 0))
        }
    }

    @Test("The leases of a process that died are counted until they are released", arguments: Engine.stores)
    func released(engine: Engine) async throws {
        try await withNodes(engine) { first, second, _ in
            func leases() async throws -> LeaseCount? {
                try await ReadingBacklogs(second.context)().leases[.payments]
            }
            try await leave(3, in: first)
            #expect(try await leases() == LeaseCount(held: 3, expired: 0))
            try await ReleasingLeases(second.context)()
            #expect(try await leases() == LeaseCount(held: 0, expired: 0))
        }
    }

    @Test("The steps of subscriptions are counted while they are due, with their leases", arguments: Engine.stores)
    func countedSteps(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            try await anna.buy("weekly")
            #expect(try await ReadingBacklogs(store.context)().backlogs[.renewals] == Backlog(count: 0))
            store.clock.advance(days: 7)
            let due = try #require(try await ReadingBacklogs(store.context)().backlogs[.renewals])
            #expect(due.count == 1)
            #expect(due.age(at: store.clock.now) > .zero && due.age(at: store.clock.now) < .seconds(7 * 24 * 3600))

            try await store.context.database.write { [now = store.clock.now.milliseconds] connection in
                _ = try connection.run(
                    """
                    UPDATE subscription
                    SET lease_owner = 'dead', leased_until = wall_now($1) + \(Self.milliseconds)
                    """, [now])
            }
            #expect(try await ReadingBacklogs(store.context)().leases[.renewals] == LeaseCount(held: 1, expired: 0))
            try await ReleasingLeases(store.context)()
            try await RenewingSubscriptions(store.context)()

            let work = try await ReadingBacklogs(store.context)()
            #expect(work.backlogs[.renewals] == Backlog(count: 0))
            #expect(work.leases[.renewals] == LeaseCount(held: 0, expired: 0))
        }
    }

    @Test("A process that is alone takes up the payments of earlier ones immediately", arguments: Engine.stores)
    func alone(engine: Engine) async throws {
        try await engine.withStore { store in
            try await leave(2, in: store)

            try await ReleasingLeases(store.context)()
            try await recover(store)

            #expect(try await store.ledger() == [490, 490])
        }
    }

    @Test("A process that is alone renews the subscriptions that earlier ones have leased", arguments: Engine.stores)
    func subscriptionsAlone(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            try await anna.buy("weekly")
            store.clock.advance(days: 7)
            try await store.context.database.write { [now = store.clock.now.milliseconds] connection in
                _ = try connection.run(
                    """
                    UPDATE subscription
                    SET lease_owner = 'dead', leased_until = wall_now($1) + \(Self.milliseconds)
                    """, [now])
            }
            try await RenewingSubscriptions(store.context)()
            #expect(try await anna.ledger() == [1490])

            try await ReleasingLeases(store.context)()
            try await RenewingSubscriptions(store.context)()

            #expect(try await anna.ledger() == [1490, 1490])
        }
    }

    @Test("Two nodes that recover at the same time do nothing twice", arguments: Engine.stores)
    func atTheSameTime(engine: Engine) async throws {
        try await withNodes(engine) { first, second, provider in
            try await leave(30, in: first)
            try await endLeases(in: first)
            let before = provider.calls.reduce(0, +)

            async let one: Void = recover(first)
            async let other: Void = recover(second)
            _ = try await (one, other)

            #expect(try await first.ledger() == Array(repeating: 490, count: 30))
            // An authorisation and a capture for each.
            #expect(provider.calls.reduce(0, +) - before == 60)
        }
    }

    @Test("A payment that a living process works on isn't taken, as long as it renews", arguments: Engine.stores)
    func ofALivingNode(engine: Engine) async throws {
        try await withNodes(engine) { first, second, provider in
            try await whilePaying(in: first, provider) {
                try await recover(second)
                #expect(provider.calls == [1])

                // Two thirds of the lease pass, it is renewed, and they pass again.
                for _ in 0..<2 {
                    try await first.context.database.write { connection in
                        _ = try connection.run(
                            "UPDATE payment SET leased_until = leased_until - \(Self.milliseconds / 3 * 2)")
                    }
                    try await RenewingLeases(first.context)()
                }
                try await recover(second)
                #expect(provider.calls == [1])
            }
            #expect(try await second.ledger() == [490])
            #expect(provider.calls == [2])
        }
    }

    @Test("A process doesn't renew a lease that another one has taken", arguments: Engine.stores)
    func taken(engine: Engine) async throws {
        try await withNodes(engine) { first, second, provider in
            try await whilePaying(in: first, provider) {
                try await first.context.database.write { connection in
                    _ = try connection.run("UPDATE payment SET lease_owner = 'other', leased_until = 7")
                }

                try await RenewingLeases(first.context)()

                #expect(try await first.count("payment", where: "leased_until = 7") == 1)
            }
        }
    }

    @Test("A process that ends the leases of earlier ones keeps its own", arguments: Engine.stores)
    func ownLeases(engine: Engine) async throws {
        try await withNodes(engine) { first, second, provider in
            try await whilePaying(in: first, provider) {
                try await ReleasingLeases(first.context)()
                try await recover(first)

                #expect(try await first.count("payment", where: "leased_until > 0") == 1)
                #expect(provider.calls == [1])
                try await ReleasingLeases(second.context)()
                #expect(try await first.count("payment", where: "leased_until > 0") == 0)
            }
            #expect(try await first.ledger() == [490])
        }
    }

    @Test("A lease that is given back while its renewal waits isn't renewed", arguments: Engine.stores)
    func givenBack(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { opened in
            let database = InterposedDatabase(opened)
            let store = try await TestStore(database)
            try await leave(1, in: store, owner: store.context.leases.owner)
            let lease = Lease.payment(try #require(try await store.payment("reserved")))
            store.context.leases.hold([lease])
            let renewing = RenewingLeases(store.context)
            database.after(0) { await renewing.release(lease) }

            try await renewing()

            #expect(!database.cancel())
            #expect(try await store.count("payment", where: "leased_until = 0") == 1)
        }
    }

    @Test("Two processes don't wait for each other's writes of leases", arguments: Engine.stores)
    func writesApart(engine: Engine) async throws {
        // SQLite has one writer.
        guard engine.isPostgreSQL else { return }
        try await withNodes(engine) { first, second, _ in
            try await leave(1, in: first)
            try await endLeases(in: first)
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { gate.open() }
                group.addTask {
                    try await first.context.write(.key(first.context.leases.writeKey), isUrgent: false) { db in
                        // The lock of the key is taken with the first statement.
                        _ = try db.rows("SELECT 1 AS one", [])
                        gate.hold()
                    }
                }
                try await until { gate.isHeld }

                try await recover(second)
                #expect(try await second.ledger() == [490])
            }
        }
    }

    @Test("A process that starts renews its leases while the provider holds up its recovery", arguments: Engine.stores)
    func atTheStart(engine: Engine) async throws {
        try await withNodes(engine) { first, second, provider in
            try await leave(1, in: first)
            try await endLeases(in: first)
            provider.close()
            try await withThrowingTaskGroup(of: Void.self) { group in
                // The group waits for the recovery, also if the body throws.
                defer { provider.open() }
                group.addTask {
                    try await provider.passingFailures { try await StoreHousekeeping(second.service).run() }
                }
                try await provider.untilHeld()
                try await first.context.database.write { connection in
                    _ = try connection.run("UPDATE payment SET leased_until = 8")
                }

                try await until {
                    second.clock.advance(by: RenewingLeases.pause)
                    return try await first.count("payment", where: "leased_until > 8") == 1
                }

                provider.open()
                try await until { try await second.ledger() == [490] }
                group.cancelAll()
            }
        }
    }

    @Test("A payment of a version without leases is taken after its grace period", arguments: Engine.stores)
    func withoutLease(engine: Engine) async throws {
        try await engine.withStore { store in
            try await leave(1, in: store)
            try await store.context.database.write { connection in
                _ = try connection.run("UPDATE payment SET lease_owner = NULL, leased_until = 0")
            }

            try await RecoveringPayments(store.context)(begunUntil: store.clock.now - .seconds(1))
            #expect(try await store.ledger().isEmpty)
            try await RecoveringPayments(store.context)(begunUntil: store.clock.now)
            #expect(try await store.ledger() == [490])
        }
    }

    @Test("The time of leases is the server's on PostgreSQL, and the caller's on SQLite", arguments: Engine.stores)
    func wallNow(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let times: [Int64] = try await database.read { connection in
                try (0..<2).map { _ in try connection.row("SELECT wall_now($1) AS now", [7])?.get("now") ?? 0 }
            }
            #expect(engine.isPostgreSQL ? times.allSatisfy { $0 > 1_700_000_000_000 } : times == [7, 7])
        }
    }
}
