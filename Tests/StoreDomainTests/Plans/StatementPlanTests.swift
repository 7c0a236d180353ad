// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A statement that reads a whole table is fast in every other test, and
/// takes too long in a store with years of sales.
@Suite(.timeLimit(.minutes(15)))
struct StatementPlanTests {
    @Test(
        "With a million purchases no statement reads a whole table",
        arguments: Engine.allCases.filter { $0 != .sqliteMemory })
    func plans(engine: Engine) async throws {
        try await engine.withDatabase { database in
            // Migrations may read whole tables, because each runs once.
            try await Schema.migrate(database)
            let recorder = RecordingDatabase(database)
            let store = try await TestStore(recorder)
            try await GrownStore(engine: engine, database: database).fill()
            #expect(try await store.count("purchase") == GrownStore.purchases)

            try await Self.live(in: store)

            let statements = recorder.statements.filter { !Self.reports.contains($0.key) && $0.key.isPlanned }
            #expect(statements.count > 70)
            for (sql, arguments) in statements {
                let plan = try await database.read { try StatementPlan(sql, arguments, on: engine, $0) }
                let scanned = plan.scanned(of: GrownStore.growing)
                #expect(
                    scanned.isEmpty,
                    "\(engine) reads all of \(scanned) for:\n\(sql)\n\(plan.steps.joined(separator: "\n"))")
            }
        }
    }

    @Test(
        "A statement without an index is noticed, and one through a whole index",
        arguments: Engine.allCases.filter { $0 != .sqliteMemory })
    func noticed(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await Schema.migrate(database)
            for sql in [
                "SELECT email FROM account WHERE storefront = $1",
                "UPDATE account SET event_number = 0 WHERE storefront = $1",
            ] {
                let plan = try await database.read { try StatementPlan(sql, ["USA"], on: engine, $0) }
                #expect(plan.scanned(of: GrownStore.growing) == ["account"], "\(sql): \(plan.steps)")
            }
            let plan = try await database.read { connection in
                if engine.isPostgreSQL { try connection.run("SET LOCAL enable_seqscan = off") }
                return try StatementPlan(
                    "SELECT email FROM account ORDER BY environment, email", [], on: engine, connection)
            }
            #expect(plan.scanned(of: GrownStore.growing) == ["account"], "\(plan.steps)")
        }
    }

    /// The statements that only this test runs.
    private static let reports: Set<String> = ["SELECT count(*) AS n FROM purchase WHERE 1 = 1"]

    /// The operations of sellers and operators on the catalogue.
    private static func keepCatalogue(of store: TestStore) async throws {
        let bundle = BundleIdentifier(TestStore.bundleIdentifier)
        let file = try StoreKitConfigurationFile(
            Data(TestStore.catalogue.utf8), file: "test.storekit", bundleIdentifier: bundle)
        var fewer = file
        fewer.products.removeLast()
        let app = App(bundleIdentifier: bundle, name: "Fruit")
        for configuration in [fewer, file] {
            try await ImportingCatalogue(store.context)(configuration, into: app)
            try await ImportingCatalogue(store.context)(configuration, into: app, onlyIfChanged: true)
        }
        for price in ["0.99", nil] {
            try await store.service.setPrice(product: "juice", of: bundle, in: "DEU", to: price)
        }
        for countries in [["DEU"], []] as [Set<String>] {
            try await store.service.limit(product: "juice", of: bundle, isNotSoldIn: countries)
        }
    }

    /// Takes away the ages of some rows, as an older version left them.
    private static func rejuvenate(_ store: TestStore) async throws {
        try await store.context.database.write { connection in
            for statement in [
                "UPDATE event SET created_at = NULL WHERE environment = 'Sandbox' AND account_id = 'a1'",
                "UPDATE device SET seen_at = NULL WHERE environment = 'Sandbox' AND device_id = 'd1'",
                """
                UPDATE restored_transaction SET created_at = NULL WHERE environment = 'Sandbox' AND device_id = 'd1'
                """,
                "UPDATE key_value SET removed_at = NULL WHERE environment = 'Sandbox' AND account_id = 'a1'",
                "UPDATE sandbox_payment SET created_at = NULL WHERE payment_number = 'p1'",
            ] {
                try connection.run(statement)
            }
        }
    }

    /// All operations of customers and of the store itself, with every
    /// outcome that a request can have.
    private static func live(in store: TestStore) async throws {
        try await keepCatalogue(of: store)
        let anna = try await store.addAccount()
        let phone = try await store.addDevice()
        await #expect(throws: DomainError.self) {
            _ = try await store.service.signIn(email: "anna@example.com", password: "wrong")
        }
        store.clock.advance(by: .seconds(60))
        _ = try await store.service.signIn(email: "anna@example.com", password: TestStore.password)
        let session = try await store.service.openSheetSession(for: anna)
        _ = try await store.service.sheetSession(session)
        _ = try await phone.call(
            ProductsCall(
                bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: ["apple", "juice"], languages: ["de"])
        )

        // Bought, restored and delivered again; refused, cancelled, closed, left alone.
        let apple = try await phone.buy("apple", request: "apple", as: anna)
        try await phone.buy("apple", request: "apple-again", as: anna)
        try await phone.buy("seed", request: "seed", as: anna)
        let juice = try await phone.buy("juice", request: "juice", as: anna)
        _ = try await phone.queue()
        _ = try await phone.receiptAnswer()
        for count in [1, 150] {
            _ = try await LookingUpPurchases(store.context)(
                Array(repeating: TransactionIdentifier(apple.transactionIdentifier), count: count),
                of: BundleIdentifier(TestStore.bundleIdentifier))
        }
        try await phone.finish(juice.transactionIdentifier)
        try await phone.finish(apple.transactionIdentifier)
        _ = try await phone.restore(request: "restore")
        store.cardLimit.milliunits = 0
        let declined = try phone.token(try await phone.ask("juice", request: "declined").sheet)
        await #expect(throws: DomainError.self) {
            _ = try await store.service.buy(onSheet: declined, as: anna, shown: nil)
        }
        _ = try await store.service.sheet(declined, as: anna)
        try await store.service.closeSheet(declined)
        _ = try await store.service.sheet(declined)
        try await store.service.cancelSheet(declined)
        _ = try await phone.ask("juice", request: "left")

        // Decisions of parents and operators, and requests of sellers' servers.
        store.cardLimit.milliunits = .max
        _ = try await store.service.change(account: "anna@example.com", .init(asksToBuy: true))
        _ = try await phone.ask("pear", request: "pear")
        let asked = try await store.service.undecided()
        let number = try #require(asked.first?.transactionIdentifier)
        _ = try await store.service.approve(number)
        _ = try await store.service.refund(number)
        _ = try await phone.ask("pear", request: "pear-again")
        _ = try await store.service.decline(
            try #require(try await store.service.undecided().first?.transactionIdentifier))
        _ = try await LookingUpPurchases(store.context)(
            [TransactionIdentifier(apple.transactionIdentifier)], of: BundleIdentifier(TestStore.bundleIdentifier))
        _ = try await phone.receiptAnswer()
        let positions = [nil, AccountEvent.Position(account: anna.identifier, number: 1)]
        for known in positions {
            _ = try await SynchronizingKeyValues(store.context)(
                [.init(KeyValue(key: "level", value: "MQ=="), sequence: 1)], known: known,
                of: BundleIdentifier(TestStore.bundleIdentifier),
                on: DeviceIdentifier(rawValue: phone.credentials.identifier),
                limits: .init(keys: 1024, keyBytes: 64, valueBytes: 1 << 20))
        }

        // The store's housekeeping.
        store.clock.advance(by: .seconds(3600))
        _ = try await ExpiringSheets(store.context)()
        try await RecoveringPayments(store.context)(begunUntil: store.clock.now)
        _ = try await ReadingBacklogs(store.context)()
        try await rejuvenate(store)
        await DeletingOldRows(store.context)(pages: 2) { report in
            if case .failed(let kind, let error) = report { Issue.record("\(kind): \(error)") }
        }

        // A stream that begins, and one that continues after a number.
        for position in [nil, EventPosition(account: anna.identifier.rawValue, number: 1)] {
            let events = try await phone.connection.events(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: position))
            for try await _ in events { break }
        }
        _ = try await phone.call(SignOutCall(requestIdentifier: "out"))
        _ = try await phone.restore(request: "restore-signed-out")
        try await ClosingAccount(store.context)(email: anna.email)
    }
}

extension String {
    /// Whether an engine plans the statement: not if it changes the schema.
    fileprivate var isPlanned: Bool {
        ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains { hasPrefix($0) } && !contains("schema_migration")
    }
}
