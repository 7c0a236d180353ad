// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Tests the store with failing providers, wrong clocks, hostile values and
/// databases of other versions.
struct HardeningTests {
    @Test("After the reservation the answer is that the payment is under way", arguments: Engine.stores)
    func underWay(engine: Engine) async throws {
        try await engine.withStore(
            provider: { BreakingProvider(books: SandboxPaymentProvider(database: $0, clock: TestClock().wallClock)) }
        ) { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("juice", request: "r").sheet)

            let request = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            #expect(request.status == .processing)
            #expect(try await phone.ask("juice", request: "r").status == .processing)

            try await RecoveringPayments(store.context)(begunUntil: store.clock.now)
            #expect(try await phone.ask("juice", request: "r").status == .purchased)
            #expect(try await store.ledger() == [490])
        }
    }

    @Test(
        "For a time that its certificates don't have the store charges nothing, and says why",
        arguments: [80, -70], Engine.stores)
    func clock(years: Int, engine: Engine) async throws {
        let now = TestClock().now + .seconds(years * 31_557_600)
        try await engine.withStore(clock: TestClock(now: now)) { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r").sheet)

            let refusal = await #expect(throws: DomainError.self) {
                try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }
            #expect(refusal?.code == .clock && refusal?.message.contains("Nothing was charged") == true)
            #expect(try await store.count("payment") == 0)
            #expect(try await store.count("purchase") == 0)
            let sign = try phone.token(
                try await phone.call(
                    ReceiptCall(
                        requestIdentifier: "s", bundleIdentifier: TestStore.bundleIdentifier,
                        applicationVersion: "1", mayAskToSignIn: true)
                ).sheet)
            try await store.service.signIn(onSheet: sign, as: anna)
            let receipt = await #expect(throws: StoreFailure.self) { try await phone.receiptAnswer() }
            #expect(receipt?.code == .unavailable && receipt?.message.contains("clock") == true)
        }
    }

    @Test(
        "For a time that its certificates don't have the store still collects the money that is due",
        .timeLimit(.hang), arguments: Engine.stores)
    func capturesWithoutClock(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "r", as: anna)
            try await store.context.database.write {
                _ = try $0.run("UPDATE payment SET status = 'committed', leased_until = 0")
            }
            store.clock.advance(by: .seconds(80 * 31_557_600))

            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await StoreHousekeeping(store.service).run() }
                while try await store.count("payment", where: "status = 'captured'") == 0 { try await letOthersRun() }
                group.cancelAll()
            }
        }
    }

    @Test("A failure for an operator to mend has a time to try again", arguments: [DomainError.Code.clock, .schema])
    func retryAfter(code: DomainError.Code) async throws {
        try await Engine.sqliteMemory.withStore { store in
            let failure = store.service.failure(of: DomainError(code, "It is out of order."), at: "a test")
            #expect(failure.code == .unavailable && failure.retryAfter == 60)
        }
    }

    @Test(
        "A request that an older version recorded under another kind of identifier keeps its answer",
        arguments: Engine.stores)
    func olderIdentifiers(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            try await phone.signIn(try await store.addAccount())
            #expect(try await phone.ask("unknown", request: "1").status == .failed)
            #expect(try await phone.restore(request: "2").failure == nil)
            _ = try await phone.call(SignOutCall(requestIdentifier: "3"))
            try await store.context.database.write { connection in
                let older = "UPDATE request SET request_id = 'é' || request_id WHERE request_id IN ('1', '2', '3')"
                _ = try connection.run(older)
            }

            #expect(try await phone.ask("unknown", request: "é1").status == .failed)
            // The list of a restore is returned only to the account that was signed in then.
            #expect(try await phone.restore(request: "é2").failure != nil)
            _ = try await phone.call(SignOutCall(requestIdentifier: "é3"))

            let new: [@Sendable () async throws -> Void] = [
                { _ = try await phone.ask("apple", request: "é4") },
                { _ = try await phone.restore(request: "é5") },
                { _ = try await phone.call(SignOutCall(requestIdentifier: "é6")) },
            ]
            for call in new {
                let refusal = await #expect(throws: StoreFailure.self) { try await call() }
                #expect(refusal?.code == .invalid)
            }
            #expect(try await store.count("request", where: "request_id IN ('é4', 'é5', 'é6')") == 0)
        }
    }

    @Test("An app that isn't registered leaves no rows", arguments: Engine.stores)
    func unknownApp(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let refusal = await #expect(throws: StoreFailure.self) {
                try await phone.call(
                    PaymentCall(
                        requestIdentifier: "r", bundleIdentifier: "com.example.unknown", productIdentifier: "apple",
                        quantity: 1))
            }
            #expect(refusal?.code == .notFound && refusal?.message.contains("com.example.unknown") == true)
            #expect(try await store.count("request") == 0)
            let listing = try await phone.call(
                ProductsCall(
                    bundleIdentifier: "com.example.unknown", productIdentifiers: ["apple"], languages: []))
            #expect(listing.invalidProductIdentifiers == ["apple"])
        }
    }

    @Test("Removed keys are counted, and the oldest are deleted", arguments: Engine.stores)
    func removedKeys(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let (phone, tablet) = (try await store.addDevice(1), try await store.addDevice(2))
            for device in [phone, tablet] { try await device.buy("seed", request: "in", as: anna) }
            let keys = (0..<1024).map { "key\($0)" }
            func write(_ values: [(String, String?)], _ sequence: Int64, after position: EventPosition?) async throws
                -> KeyValuesCall.Answer
            {
                try await phone.call(
                    KeyValuesCall(
                        bundleIdentifier: TestStore.bundleIdentifier,
                        writes: values.enumerated().map {
                            KeyValueWrite(key: $1.0, value: $1.1, sequence: sequence + Int64($0))
                        }, position: position))
            }
            let old = try await tablet.call(
                KeyValuesCall(bundleIdentifier: TestStore.bundleIdentifier, writes: [], position: nil))
            var position = try await write(keys.map { ($0, "AAAA") }, 1, after: nil).position
            position = try await write(keys.map { ($0, nil) }, 2000, after: position).position
            #expect(try await store.count("key_value") == 1024)
            position = try await write(keys.map { ("other-\($0)", "AAAA") }, 4000, after: position).position
            position = try await write(keys.map { ("other-\($0)", nil) }, 6000, after: position).position

            #expect(try await store.count("key_value", where: "value IS NULL") <= 1024)
            // Removing a key that doesn't exist leaves no row.
            position = try await write(keys.map { ("never-\($0)", nil) }, 8000, after: position).position
            #expect(try await store.count("key_value", where: "key_name LIKE 'never-%'") == 0)
            let whole = try await tablet.call(
                KeyValuesCall(bundleIdentifier: TestStore.bundleIdentifier, writes: [], position: old.position))
            #expect(whole.isWhole && whole.values.isEmpty)
        }
    }

    @Test("No value of the key-value store counts as less than nothing")
    func padding() {
        for value in ["====", "=", String(repeating: "=", count: 4000), "AA==", nil] {
            #expect(KeyValue(key: "k", value: value).bytes >= 0)
        }
        #expect(KeyValue(key: "k", value: "AAE=").bytes == 2)
    }

    @Test("A store whose numbers overflow a sum can be copied", arguments: Engine.stores)
    func copyOfLargeNumbers(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            for request in ["a", "b"] { _ = try await phone.ask("apple", request: request) }
            try await store.context.database.write { connection in
                _ = try connection.run("UPDATE request SET quantity = \(Int64.max), created_at = \(Int64.max)")
            }
            try await Engine.sqliteMemory.withDatabase(hasTables: true) { target in
                let copied = try await CopyingStore(from: store.context.database, to: target)(now: store.clock.now)
                #expect(copied.first { $0.table == "request" }?.rows == 2)
            }
        }
    }

    @Test("A second process on the same database is found, and one that has ended isn't", arguments: Engine.stores)
    func secondNode(engine: Engine) async throws {
        try await engine.withStore { store in
            let reporting = ReportingNode(store.context)
            #expect(try await reporting("one") == 0)
            #expect(try await reporting("two") == 1)
            try await reporting.end("one")
            #expect(try await reporting("two") == 0)
            #expect(try await reporting("one") == 1)
            store.clock.advance(by: .seconds(60))
            #expect(try await reporting("two") == 0)
        }
    }

    @Test("A database of another version isn't ready", arguments: Engine.stores)
    func otherSchema(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.context.database.write { connection in
                _ = try connection.run("INSERT INTO schema_migration (name, applied) VALUES ('999 future', 999)")
            }
            let refusal = await #expect(throws: DomainError.self) {
                try await ReportingNode(store.context)("one")
            }
            #expect(refusal?.code == .schema)
        }
    }

    @Test("A session that a wrong clock has opened isn't valid for years", arguments: Engine.stores)
    func sessionOfTheFuture(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let opening = OpeningSheetSession(store.context)
            store.clock.advance(by: .seconds(80 * 365 * 86_400))
            let token = try await opening(for: anna)
            store.clock.advance(by: .seconds(-80 * 365 * 86_400))
            #expect(try await opening.account(of: token) == nil)
        }
    }
}
