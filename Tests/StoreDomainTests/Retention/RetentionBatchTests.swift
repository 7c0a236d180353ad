// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreTestSupport
import Testing

/// Deleting old rows in small batches, with faults, and on two nodes.
struct RetentionBatchTests {
    @Test("No transaction reads or deletes more rows than a batch", arguments: Engine.stores)
    func batches(engine: Engine) async throws {
        try await engine.withMeasuredStore { store, measured in
            let anna = try await store.addAccount()
            try await store.addEvents(1001, of: anna)
            store.clock.advance(days: 91)
            let before = measured.transactions.count

            #expect(try await store.clean()["events"] == 1001)

            let transactions = measured.transactions.dropFirst(before)
            #expect(transactions.allSatisfy { $0.read <= DeletingOldRows.batch })
            #expect(transactions.allSatisfy { $0.changed <= DeletingOldRows.batch })
            #expect(transactions.filter { $0.changed > 0 }.count == 6)
            // A kind without old rows opens no write.
            #expect(transactions.filter(\.isWrite).count == 6)
        }
    }

    @Test("Rows that have to stay are read once a round, and don't hide others", arguments: Engine.stores)
    func rowsThatStay(engine: Engine) async throws {
        try await engine.withMeasuredStore { store, measured in
            let phone = try await store.addDevice()
            try await store.run(
                """
                WITH RECURSIVE series (i) AS (
                    SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM series WHERE i < 601
                )
                INSERT INTO request (environment, device_id, request_id, kind, bundle_id, product_id, quantity,
                    status, created_at, changed_at)
                SELECT 'Sandbox', '\(phone.credentials.identifier)', 'r' || i, 'payment', 'com.example.fruit', 'juice',
                    1, CASE WHEN i = 601 THEN 'failed' ELSE 'open' END, i, i FROM series
                """)
            let before = measured.transactions.count

            #expect(try await store.clean()["requests"] == 1)

            #expect(try await store.count("request") == 600)
            #expect(measured.transactions.dropFirst(before).allSatisfy { $0.read <= DeletingOldRows.batch })
        }
    }

    @Test("A batch that fails stops only its kind, and is tried again in the next round", arguments: Engine.stores)
    func failure(engine: Engine) async throws {
        try await engine.withMeasuredStore { store, measured in
            _ = try await AgingStore(store)
            try await store.addEvents(450, of: try await store.addAccount("berta@example.com"))
            store.clock.advance(days: 91)
            measured.refuse("DELETE FROM event", after: 250)

            let first = try await store.clean(store.context)

            #expect(first.failed == ["events"])
            #expect(first.deleted["events"] == 200 && first.deleted["sheets"] == 3)
            measured.refuse(nil)
            let second = try await store.clean(store.context)
            #expect(second.failed.isEmpty)
            #expect(try await store.count("event", where: "kind <> 'revoked'") == 0)
        }
    }

    @Test("A restore whose list is partly deleted fails, and no device receives a part", arguments: Engine.stores)
    func partOfAList(engine: Engine) async throws {
        try await engine.withMeasuredStore { store, measured in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await store.sell(250)
            for number in 0..<250 {
                let bought = try await phone.buy("fruit\(number)", request: "\(number)", as: anna)
                try await phone.finish(bought.transactionIdentifier)
            }
            #expect(try await phone.restore(request: "restore").nextPage == 1)
            store.clock.advance(days: 31)
            measured.refuse("DELETE FROM restored_transaction", after: 220)
            _ = try await store.clean(store.context)
            #expect(try await store.count("restored_transaction") == 50)

            for page in 0...1 {
                let answer = try await phone.restore(request: "restore", page: page)
                #expect(answer.failure != nil && answer.transactions.isEmpty)
            }

            measured.refuse(nil)
            store.clock.advance(days: 60)
            try await store.clean()
            #expect(try await store.count("request", where: "request_id = 'restore'") == 0)
            // The rest of a deleted list isn't taken from a new one.
            #expect(try await phone.restore(request: "restore", page: 1).failure != nil)
            #expect(try await phone.restore(request: "restore").transactions.count == 200)
            #expect(try await phone.restore(request: "restore", page: 1).transactions.count == 50)
        }
    }

    @Test("The queue of a lost device is emptied in batches", arguments: Engine.stores)
    func longQueue(engine: Engine) async throws {
        try await engine.withMeasuredStore { store, measured in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            for number in 0..<250 { try await phone.buy("seed", request: "\(number)", as: anna) }
            #expect(try await store.count("queue_entry") == 250)
            store.clock.advance(days: 731)
            let before = measured.transactions.count

            try await store.clean()

            #expect(try await store.count("queue_entry") == 0)
            #expect(try await store.count("device") == 0)
            #expect(try await store.count("purchase") == 250)
            #expect(measured.transactions.dropFirst(before).allSatisfy { $0.changed <= DeletingOldRows.batch })
        }
    }

    @Test("Two nodes that delete concurrently leave the same as one", arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let aging = try await AgingStore(nodes.first)
            try await nodes.first.addEvents(1000, of: aging.anna)
            let books = try await aging.countBooks()
            nodes.first.clock.advance(days: 731)

            async let one = nodes.first.clean(nodes.first.context)
            async let other = nodes.second.clean(nodes.second.context)
            _ = try await (one, other)
            // A batch that lost a conflict is tried again in the next round.
            let last = try await nodes.first.clean(nodes.first.context)

            #expect(last.failed.isEmpty)
            for table in ["request", "sheet", "restored_transaction", "queue_entry", "device", "key_value"] {
                #expect(try await nodes.second.count(table) == 0, "\(table)")
            }
            #expect(try await nodes.second.count("event", where: "kind <> 'revoked'") == 0)
            #expect(try await aging.countBooks() == books)
        }
    }
}
