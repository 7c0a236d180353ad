// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The times for which the store keeps rows that its books don't need.
struct RetentionTests {
    /// Rows with the time to live that they have by default.
    private static let ages: [(days: Int, table: String, condition: String)] = [
        (1, "sign_in_throttle", "1 = 1"), (1, "serving_node", "1 = 1"),
        (7, "device_news", "1 = 1"),
        (30, "sheet", "1 = 1"), (30, "restored_transaction", "1 = 1"), (30, "device", "account_id IS NULL"),
        // A session ends after thirty days.
        (31, "sheet_session", "1 = 1"),
        (90, "event", "kind <> 'revoked'"), (90, "request", "request_id <> 'juice'"),
        (180, "key_value", "1 = 1"), (180, "sandbox_payment", "status = 'refunded'"), (180, "provider_event", "1 = 1"),
        (730, "queue_entry", "1 = 1"), (730, "key_value_writer", "1 = 1"), (730, "device", "1 = 1"),
        (730, "request", "1 = 1"), (3650, "sandbox_payment", "1 = 1"),
    ]

    @Test("Each kind of row is deleted at its age, and not before; the books stay", arguments: Engine.stores)
    func ages(engine: Engine) async throws {
        try await engine.withStore { store in
            let aging = try await AgingStore(store)
            let books = try await aging.countBooks()
            var today = 0
            for days in Set(Self.ages.map(\.days)).sorted() {
                let kinds = Self.ages.filter { $0.days == days }
                for day in [max(days - 1, today), days + 1] {
                    store.clock.advance(days: day - today)
                    today = day
                    let cleaned = try await store.clean(store.context)
                    #expect(cleaned.failed.isEmpty)
                    for (_, table, condition) in kinds {
                        let count = try await store.count(table, where: condition)
                        #expect((count == 0) == (day > days), "\(count) of \(table) where \(condition) on day \(day)")
                    }
                }
            }
            #expect(try await aging.countBooks() == books)
            #expect(books.values.allSatisfy { $0 > 0 })
        }
    }

    @Test("An operator's times apply, and a list is kept no longer than its request", arguments: Engine.stores)
    func operatorsTimes(engine: Engine) async throws {
        try await engine.withStore { store in
            _ = try await AgingStore(store)
            var retention = Retention()
            retention.requests = 7
            retention.events = 3650
            let context = try await store.context(retention: retention)
            store.clock.advance(days: 8)

            let deleted = try await store.clean(context).deleted

            #expect(deleted["restores"] == 1 && deleted["sheets"] == 3 && deleted["requests"] == 3)
            #expect(deleted["events"] == nil)
        }
    }

    @Test("A store deletes old rows when it starts", .timeLimit(.hang), arguments: Engine.stores)
    func atTheStart(engine: Engine) async throws {
        try await engine.withStore { store in
            _ = try await AgingStore(store)
            store.clock.advance(days: 31)

            // The clock stands still, so that no round of an hour begins.
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await StoreHousekeeping(store.service).run() }
                while try await store.count("sheet") > 0 { try await letOthersRun() }
                group.cancelAll()
            }
        }
    }

    @Test("Every kind has a name of its own, and a default within its range")
    func kinds() {
        #expect(Set(Retention.kinds.map(\.name)).count == Retention.kinds.count)
        for kind in Retention.kinds {
            #expect(kind.range.contains(Retention()[keyPath: kind.days]), "\(kind.name)")
        }
    }

    @Test(
        "A request that isn't answered is kept with its sheet, and so is one whose purchase is unfinished",
        arguments: Engine.stores)
    func undecided(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let statuses = ["open", "processing", "deferred", "interrupted"]
            for status in statuses {
                _ = try await phone.ask("apple", request: status)
                try await store.run("UPDATE request SET status = '\(status)' WHERE request_id = '\(status)'")
                guard status != "open" else { continue }
                try await store.run("UPDATE sheet SET status = 'confirmed' WHERE request_id = '\(status)'")
            }
            try await phone.buy("juice", request: "juice", as: anna)
            store.clock.advance(days: 400)

            try await store.clean()

            #expect(try await store.count("request") == 5)
            #expect(try await store.count("sheet") == 4)
            #expect(try await phone.ask("juice", request: "juice").transaction != nil)
        }
    }

    @Test("A purchase that waits for an approval for a year is made", arguments: Engine.stores)
    func approvedLate(engine: Engine) async throws {
        try await engine.withStore { store in
            let child = try await store.addAccount(asksToBuy: true)
            let phone = try await store.addDevice()
            try await phone.signIn(child)
            _ = try await phone.ask("apple", request: "1")
            store.clock.advance(days: 365)
            try await store.clean()

            try await store.service.approve(try await store.onlyUndecided())

            #expect(try await phone.queue().map(\.productIdentifier) == ["apple"])
        }
    }

    @Test("A consumable that is approved late waits for its lost device", arguments: Engine.stores)
    func approvedForALostDevice(engine: Engine) async throws {
        try await engine.withStore { store in
            let child = try await store.addAccount(asksToBuy: true)
            let phone = try await store.addDevice()
            try await phone.signIn(child)
            _ = try await phone.ask("juice", request: "1")
            store.clock.advance(days: 731)
            try await store.clean()

            try await store.service.approve(try await store.onlyUndecided())
            store.clock.advance(days: 7)
            try await store.clean()

            try await phone.signIn(child, request: "again")
            #expect(try await phone.queue().map(\.productIdentifier) == ["juice"])
        }
    }

    @Test("A device that was away learns of a late refusal, and doesn't ask again", arguments: Engine.stores)
    func declinedLate(engine: Engine) async throws {
        try await engine.withStore { store in
            let child = try await store.addAccount(asksToBuy: true)
            let phone = try await store.addDevice()
            try await phone.signIn(child)
            _ = try await phone.ask("apple", request: "1")
            store.clock.advance(days: 365)
            _ = try await ResolvingPendingPurchase(store.context).decline(try await store.onlyUndecided())
            store.clock.advance(days: 89)
            try await store.clean()

            #expect(try await phone.ask("apple", request: "1").failure != nil)

            store.clock.advance(days: 2)
            try await store.clean()
            #expect(try await store.count("request", where: "request_id = '1'") == 0)
        }
    }

    @Test("A device that has signed out is deleted with its uses", arguments: Engine.stores)
    func signedOutDevice(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            try await phone.signIn(try await store.addAccount())
            _ = try await store.service.feed(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))
            #expect(try await store.count("device_app") == 1)
            _ = try await phone.call(SignOutCall(requestIdentifier: "out"))
            store.clock.advance(days: 91)

            #expect(try await store.clean(store.context).failed.isEmpty)
            #expect(try await store.clean(store.context).failed.isEmpty)

            #expect(try await store.count("device") == 0)
            #expect(try await store.count("device_app") == 0)
        }
    }

    @Test(
        "A purchase whose payment the provider has forgotten isn't revoked without its money",
        arguments: Engine.stores)
    func refundAfterTheRecord(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            try await store.clean()
            store.clock.advance(days: 3651)
            try await store.clean()
            #expect(try await store.count("sandbox_payment") == 0)

            await #expect(throws: DomainError.self) {
                try await RefundingPurchase(store.context)(TransactionIdentifier(apple.transactionIdentifier))
            }

            #expect(try await store.count("purchase", where: "revoked_at IS NULL") == 1)
            #expect(try await store.count("payment", where: "status = 'captured'") == 1)
        }
    }

    @Test("The record of a refunded payment counts from the refund", arguments: Engine.stores)
    func refundedRecord(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            try await store.clean()
            store.clock.advance(days: 200)
            _ = try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            try await store.clean()
            store.clock.advance(days: 179)
            try await store.clean()
            #expect(try await store.count("sandbox_payment") == 1)

            store.clock.advance(days: 2)
            try await store.clean()
            #expect(try await store.count("sandbox_payment") == 0)
        }
    }

    @Test("A sign-in that was confirmed or needed no sheet is deleted", arguments: Engine.stores)
    func signIns(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            try await phone.signIn(try await store.addAccount())
            _ = try await RequiringSignIn(store.context)(
                "again", of: BundleIdentifier(TestStore.bundleIdentifier),
                on: DeviceIdentifier(phone.credentials.identifier))
            #expect(try await store.count("request", where: "status = 'open'") == 2)
            store.clock.advance(days: 91)

            try await store.clean()

            #expect(try await store.count("request") == 0)
        }
    }

    @Test("A repeated request whose row was deleted doesn't buy again", arguments: Engine.stores)
    func repeatedRequest(engine: Engine) async throws {
        try await engine.withStore { store in
            let aging = try await AgingStore(store)
            let books = try await aging.countBooks()
            store.clock.advance(days: 91)
            try await store.clean()
            #expect(try await store.count("request", where: "request_id = 'apple'") == 0)

            let answer = try await aging.phone.ask("apple", request: "apple")

            #expect(answer.status == .purchased && answer.sheet == nil && answer.transaction == nil)
            #expect(try await aging.countBooks() == books)
            #expect(try await store.count("sheet") == 0)
            let mismatch = await #expect(throws: StoreFailure.self) {
                try await aging.phone.ask("pear", request: "apple")
            }
            #expect(mismatch?.code == .requestMismatch)
        }
    }

    @Test("A lost device that returns registers again, and its old requests don't buy", arguments: Engine.stores)
    func lostDevice(engine: Engine) async throws {
        try await engine.withStore { store in
            let aging = try await AgingStore(store)
            let books = try await aging.countBooks()
            store.clock.advance(days: 731)
            try await store.clean()
            let unknown = await #expect(throws: StoreFailure.self) { try await aging.phone.queue() }
            #expect(unknown?.code == .unknownDevice)

            _ = try await aging.phone.call(RegisterCall())

            for request in ["apple", "juice"] {
                #expect(try await aging.phone.ask(request, request: request).status == .purchased)
            }
            #expect(try await aging.countBooks() == books)
        }
    }

    @Test("A device that sends a call now and then is kept", arguments: Engine.stores)
    func usedDevice(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            for _ in 1...5 {
                store.clock.advance(days: 20)
                _ = try await phone.queue()
                try await store.clean()
            }
            #expect(try await store.count("device") == 1)
        }
    }

    @Test("A device whose stream is open is not lost, although it sends no call for years", arguments: Engine.stores)
    func streamingDevice(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.signIn(anna)
            for _ in 1...16 {
                store.clock.advance(days: 50)
                try await RecordingDeviceUse(store.context)(
                    DeviceApp(
                        account: anna.identifier, bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier),
                        device: DeviceIdentifier(phone.credentials.identifier)))
                try await store.clean()
            }
            #expect(try await store.count("device", where: "account_id IS NOT NULL") == 1)
        }
    }

    @Test("A device that calls every day is kept with the shortest time of unused devices", arguments: Engine.stores)
    func shortestTime(engine: Engine) async throws {
        try await engine.withStore { store in
            let kind = try #require(Retention.kinds.first { $0.name == "unused-devices" })
            var retention = Retention()
            retention[keyPath: kind.days] = kind.range.lowerBound
            let context = try await store.context(retention: retention)
            let phone = try await store.addDevice()
            for _ in 1...4 {
                // The first call within a day isn't recorded.
                store.clock.advance(by: .seconds(23 * 60 * 60))
                _ = try await phone.queue()
                store.clock.advance(by: .seconds(2 * 60 * 60))
                _ = try await store.clean(context)
            }
            #expect(try await store.count("device") == 1)
        }
    }

    @Test(
        "A device that was away receives a snapshot instead of deleted events, with every refund",
        arguments: Engine.stores)
    func deviceThatWasAway(engine: Engine) async throws {
        try await engine.withStore { store in
            let aging = try await AgingStore(store)
            let (anna, phone) = (aging.anna, aging.phone)
            store.clock.advance(days: 91)
            let seed = try await phone.buy("seed", request: "seed", as: anna)
            try await store.clean()
            let last = try await store.context.database.read { connection -> Int64 in
                try connection.row("SELECT event_number FROM account")?.get("event_number") ?? 0
            }
            func first(after number: Int64) async throws -> StoreEvent? {
                var events = try await phone.connection.events(
                    EventSubscription(
                        credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier,
                        position: EventPosition(account: anna.identifier.rawValue, number: number))
                ).makeAsyncIterator()
                return try await events.next()
            }

            let snapshot = QueueSnapshot(
                position: EventPosition(account: anna.identifier.rawValue, number: last),
                transactions: try await phone.queue(), storefront: .unitedStates,
                revoked: [
                    RevokedInfo(
                        originalTransactionIdentifier: aging.pear.originalTransactionIdentifier,
                        productIdentifier: "pear", isEntitlement: true)
                ])
            #expect(try await first(after: 1) == .snapshot(snapshot))
            #expect(
                try await first(after: last - 1)
                    == .transaction(seed, EventPosition(account: anna.identifier.rawValue, number: last)))
        }
    }

    @Test("A device from before the deleted removals gets all values", arguments: Engine.stores)
    func removedValues(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            try await phone.signIn(try await store.addAccount())
            let before = try await phone.exchange([("level", "1", 1), ("name", "x", 2)])
            let after = try await phone.exchange([("level", nil, 3)], after: before.position)
            store.clock.advance(days: 181)
            #expect(try await store.clean()["removed-values"] == 1)

            let old = try await phone.exchange([], after: before.position)
            let new = try await phone.exchange([], after: after.position)

            #expect(old.isWhole && old.values == [.init("name", "x")])
            #expect(!new.isWhole && new.values.isEmpty)
        }
    }

    @Test("The provider's record of a payment that isn't final is kept", arguments: Engine.stores)
    func openPayments(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("juice", request: "1", as: anna)
            try await store.run("UPDATE sandbox_payment SET status = 'declined'")
            try await store.run("UPDATE payment SET status = 'reserved'")
            try await store.clean()
            store.clock.advance(days: 10_000)

            try await store.clean()
            #expect(try await store.count("sandbox_payment") == 1)

            try await store.run("UPDATE payment SET status = 'declined'")
            try await store.clean()
            #expect(try await store.count("sandbox_payment") == 0)
        }
    }

    @Test("An event of the provider that is not handled is kept", arguments: Engine.stores)
    func openEvents(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.service.receive(ProviderEvent(identifier: "early", payment: "unknown", kind: .authorised))
            store.clock.advance(days: 10_000)
            try await store.clean()
            #expect(try await store.count("provider_event") == 1)

            await store.service.handleProviderEvents()
            #expect(try await store.outcomes() == ["unknown payment"])
            store.clock.advance(days: 181)
            try await store.clean()

            #expect(try await store.count("provider_event") == 0)
        }
    }

    @Test("The age of a row of an older version counts from when it is first found", arguments: Engine.stores)
    func rowsWithoutAge(engine: Engine) async throws {
        try await engine.withStore { store in
            _ = try await AgingStore(store)
            for (table, column) in [
                ("event", "created_at"), ("restored_transaction", "created_at"), ("device", "seen_at"),
                ("key_value", "removed_at"),
            ] {
                try await store.run("UPDATE \(table) SET \(column) = NULL")
            }
            store.clock.advance(days: 1000)
            try await store.clean()
            let tables = ["event", "restored_transaction", "device", "key_value"]
            for table in tables { #expect(try await store.count(table) > 0, "\(table)") }

            store.clock.advance(days: 1000)
            try await store.clean()
            #expect(try await store.count("event", where: "kind <> 'revoked'") == 0)
            for table in tables.dropFirst() { #expect(try await store.count(table) == 0, "\(table)") }
        }
    }
}
