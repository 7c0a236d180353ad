// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreMeasurement
import StoreService
import StoreTestSupport
import Testing

/// A sheet is answered once, by the customer, before it expires.
struct SheetTests {
    @Test("A sheet is answered once: a second tab gets an error", arguments: Engine.stores)
    func answeredOnce(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("juice", request: "r1").sheet)

            _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)

            let again = await #expect(throws: DomainError.self) {
                try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }
            #expect(again?.code == .sheetUsed)
            let cancelled = await #expect(throws: DomainError.self) { try await store.service.cancelSheet(sheet) }
            #expect(cancelled?.code == .sheetUsed)
            #expect(try await store.ledger() == [490])
        }
    }

    @Test("Two tabs that press Buy at the same moment buy once", arguments: Engine.stores)
    func twoTabs(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("juice", request: "r1").sheet)

            let successes = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask { (try? await store.service.buy(onSheet: sheet, as: anna, shown: nil)) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }

            #expect(successes == 1)
            #expect(try await store.ledger() == [490])
        }
    }

    /// Two answers of one device that lock these rows in different orders
    /// could deadlock.
    @Test("Each answer changes the sheet before its request and its device", arguments: Engine.stores)
    func lockOrder(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { opened in
            let database = RecordingDatabase(opened)
            let store = try await TestStore(database)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let bought = try phone.token(try await phone.ask("apple", request: "r1").sheet)
            let cancelled = try phone.token(try await phone.ask("juice", request: "r2").sheet)

            let transactions = try await database.transactions {
                _ = try await store.service.buy(onSheet: bought, as: anna, shown: nil)
                try await store.service.cancelSheet(cancelled)
            }

            let answers = transactions.map(\.statements).filter { statements in
                statements.contains { $0.sql.hasPrefix("UPDATE sheet") && $0.arguments.contains(.text("open")) }
            }
            #expect(answers.count == 2)
            for answer in answers {
                let tables = answer.map(\.sql).filter { $0.hasPrefix("UPDATE") }.map { $0.split(separator: " ")[1] }
                #expect(tables.first == "sheet" && tables.contains("request") && tables.contains("device"), "\(tables)")
            }
        }
    }

    @Test("Cancelling ends the payment as cancelled", arguments: Engine.stores)
    func cancel(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

            try await store.service.cancelSheet(sheet)

            let answer = try await phone.ask("apple", request: "r1")
            #expect(answer.status == .failed)
            #expect(answer.failure?.code == .paymentCancelled)
        }
    }

    @Test("An unanswered sheet expires after ten minutes", arguments: Engine.stores)
    func expiry(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

            store.clock.advance(by: .seconds(599))
            #expect(try await ExpiringSheets(store.context)().isEmpty)
            store.clock.advance(by: .seconds(1))
            #expect(try await ExpiringSheets(store.context)().map(\.identifier) == ["r1"])

            #expect(try await phone.ask("apple", request: "r1").failure?.code == .paymentCancelled)
            let late = await #expect(throws: DomainError.self) {
                try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }
            #expect(late?.code == .sheetExpired)
        }
    }

    /// A write that ended several sheets would make their customers wait for
    /// one another.
    @Test("Each sheet expires in a write of its own", arguments: Engine.stores)
    func oneWriteEach(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { opened in
            let database = RecordingDatabase(opened)
            let store = try await TestStore(database)
            let phone = try await store.addDevice()
            var tokens: [String] = []
            for request in ["r1", "r2"] {
                tokens.append(try phone.token(try await phone.ask("apple", request: request).sheet))
                store.clock.advance(by: .seconds(1))
            }
            store.clock.advance(by: Sheet.lifetime)

            let transactions = try await database.transactions { _ = try await ExpiringSheets(store.context)() }

            #expect(transactions.filter(\.isWrite).map(\.kind) == tokens.map { .write(.key($0)) })
            #expect(try await store.count("sheet", where: "status = 'expired'") == 2)
        }
    }

    @Test("A closed page ends its payment, unless it is opened again", arguments: Engine.stores)
    func closedPage(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

            try await store.service.closeSheet(sheet)
            store.clock.advance(by: .seconds(3))
            _ = try await store.service.sheet(sheet)
            store.clock.advance(by: .seconds(30))
            #expect(try await ExpiringSheets(store.context)().isEmpty)

            try await store.service.closeSheet(sheet)
            store.clock.advance(by: .seconds(5))
            #expect(try await ExpiringSheets(store.context)().count == 1)
            #expect(try await phone.ask("apple", request: "r1").failure?.code == .paymentCancelled)
        }
    }
}
