// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDomain

/// An emptied store has its catalogue and its keys, and nothing else, also if
/// purchases were under way.
@Suite(.timeLimit(.hang))
struct ResetTests {
    @Test("A reset empties all tables but those of the catalogue and of the operator", arguments: Engine.stores)
    func tables(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database)
            let life = StoreLife(store: store, unrecorded: database)
            try await life.live()
            // The account of the life has left: another one has something of everything that a purchase makes.
            let anna = try await store.addAccount("again@example.com")
            _ = try await store.addDevice(9).buy("juice", request: "1", as: anna)
            let before = try await Self.counts(store)
            #expect(before.count { !ResettingStore.kept.contains($0.key) && $0.value > 0 } > 15)

            try await store.service.reset()

            let after = try await Self.counts(store)
            for (table, rows) in after {
                #expect(rows == (ResettingStore.kept.contains(table) ? before[table] : 0), "\(table)")
            }
            try await store.service.reset()
            #expect(try await Self.counts(store) == after)
        }
    }

    @Test("After a reset the same customer can begin again", arguments: Engine.stores)
    func again(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let first = try await phone.buy("apple", request: "1", as: try await store.addAccount())

            try await store.service.reset()

            await #expect(throws: StoreFailure(.unknownDevice, "")) { _ = try await phone.queue() }
            let again = try await store.addDevice()
            #expect(try await again.queue().isEmpty)
            let anna = try await store.addAccount()
            let second = try await again.buy("apple", request: "1", as: anna)
            #expect(second.transactionIdentifier != first.transactionIdentifier)
            #expect(try await again.queue() == [second])
            #expect(try await store.ledger() == [990])
        }
    }

    @Test("Production can't be emptied", arguments: Engine.stores)
    func production(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            _ = try await store.addAccount()
            await #expect(throws: DomainError(.invalid, "")) { try await store.service.reset() }
            #expect(try await store.count("account") == 1)
        }
    }

    @Test("A reset leaves the rows of the other environment", arguments: Engine.stores)
    func otherEnvironment(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let production = try await TestStore(database, environment: .production)
            let sandbox = try await TestStore(database, seed: 8)
            for store in [production, sandbox] {
                _ = try await store.addDevice().buy("apple", request: "1", as: try await store.addAccount())
            }
            try await sandbox.service.reset()
            #expect(try await sandbox.count("account", where: "environment = 'Sandbox'") == 0)
            #expect(try await sandbox.count("account", where: "environment = 'Production'") == 1)
            #expect(try await sandbox.count("purchase", where: "environment = 'Production'") == 1)
        }
    }

    @Test("A purchase during a reset isn't made, and its amount is released", arguments: Engine.stores)
    func purchaseUnderWay(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let clock = TestClock()
            let provider = ResettingProvider(SandboxPaymentProvider(database: database, clock: clock.wallClock))
            let store = try await TestStore(database, clock: clock, provider: provider)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            provider.reset = { try await store.service.reset() }
            let token = try phone.token(try await phone.ask("juice", request: "1").sheet)

            await #expect(throws: DomainError(.notFound, "")) {
                _ = try await store.service.buy(onSheet: token, as: anna, shown: nil)
            }

            #expect(provider.resets == 1)
            #expect(try await store.count("payment") == 0)
            #expect(try await store.count("purchase") == 0)
            #expect(try await store.count("sandbox_payment", where: "status <> 'voided'") == 0)
        }
    }

    @Test(
        "The streams of this node end with the reset, and those of another node in the next round",
        arguments: Engine.stores)
    func streams(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let phones = [nodes.first, nodes.second].map { TestDevice(number: 1, store: $0) }
            var feeds: [EventFeed] = []
            _ = try await phones[0].call(RegisterCall())
            for phone in phones {
                let feed = try await phone.store.service.feed(
                    EventSubscription(
                        credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))
                _ = try await feed.next()
                feeds.append(feed)
            }

            try await nodes.first.service.reset()
            #expect(try await feeds[0].next() == nil)
            await nodes.second.service.catchUp()
            #expect(try await feeds[1].next() == nil)
        }
    }

    @Test("Purchases of two nodes during resets succeed or are refused, and leave nothing", arguments: Engine.stores)
    func purchasesOfTwoNodes(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let outcomes = Outcomes()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask { await Self.shop(number, nodes[number], outcomes) }
                }
                group.addTask {
                    for round in 0..<8 {
                        for _ in 0..<20 { await Task.yield() }
                        do { try await nodes[round].service.reset() } catch { await outcomes.note(error) }
                    }
                }
            }
            let unexpected = await outcomes.unexpected
            #expect(unexpected.isEmpty)
            #expect(await outcomes.purchases > 0)
            let open =
                "status IN ('authorised', 'captured') AND payment_number NOT IN (SELECT payment_number FROM payment)"
            #expect(try await nodes.first.count("sandbox_payment", where: open) == 0)
            try await nodes.first.service.reset()
            for (table, rows) in try await Self.counts(nodes.first) where !ResettingStore.kept.contains(table) {
                #expect(rows == 0, "\(table)")
            }
        }
    }

    /// Buys as a customer of its own, who begins again after each refusal.
    private static func shop(_ number: Int, _ store: TestStore, _ outcomes: Outcomes) async {
        for round in 0..<12 {
            do {
                let phone = TestDevice(number: UInt8(number + 1), store: store)
                let account = try await OpeningTestAccount(store.context)(
                    email: "customer-\(number)-\(round)@example.com", storefront: "USA",
                    device: DeviceIdentifier(rawValue: phone.credentials.identifier),
                    secret: phone.credentials.secret)
                for purchase in 0..<3 {
                    let bought = try await phone.buy("juice", request: "\(round)-\(purchase)", as: account)
                    await outcomes.notePurchase()
                    try await phone.finish(bought.transactionIdentifier)
                }
            } catch {
                await outcomes.note(store.service.failure(of: error, at: "test"))
            }
        }
    }

    /// The rows of the sandbox, by table. The catalogue's changes leave rows of
    /// both environments.
    private static func counts(_ store: TestStore) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in Schema.tables {
            let isOfEnvironment = table.key.contains("environment")
            counts[table.name] = try await store.count(
                table.name, where: isOfEnvironment ? "environment = 'Sandbox'" : "1 = 1")
        }
        return counts
    }
}

/// The results of purchases during resets.
private actor Outcomes {
    private(set) var purchases = 0
    private(set) var unexpected: [String] = []

    func notePurchase() { purchases += 1 }

    /// Notes a refusal. The store must not fail, and one that has to be
    /// repeated has its code.
    func note(_ error: any Error) {
        guard let failure = error as? StoreFailure else { return unexpected.append("\(error)") }
        let expected: Set<StoreFailure.Code> = [.notFound, .unknownDevice, .unavailable, .wrongPassword, .sheetUsed]
        // The test's device has this code for a sheet or a transaction that isn't there.
        let isOfTheDevice = failure.message.hasPrefix("There is no sheet") || failure.message.contains("no transaction")
        if !expected.contains(failure.code), !isOfTheDevice { unexpected.append("\(failure)") }
    }
}

/// A provider during whose first authorisation the store is emptied.
private final class ResettingProvider: PassingProvider {
    let books: SandboxPaymentProvider
    private let state = Mutex<(reset: (@Sendable () async throws -> Void)?, resets: Int)>((nil, 0))

    init(_ books: SandboxPaymentProvider) {
        self.books = books
    }

    var resets: Int { state.withLock { $0.resets } }

    var reset: (@Sendable () async throws -> Void)? {
        get { state.withLock { $0.reset } }
        set { state.withLock { $0.reset = newValue } }
    }

    func authorise(_ number: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation {
        if let reset {
            self.reset = nil
            state.withLock { $0.resets += 1 }
            try await reset()
        }
        return try await books.authorise(number, amount: amount, method: method)
    }
}
