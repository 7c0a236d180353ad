// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreDomain
import StorePostgreSQL
import StoreTestSupport
import Testing

@Suite(.enabled(if: TestCluster.url != nil, "there is no PostgreSQL"))
struct SchemaTests {
    @Test("Eight servers start concurrently on an empty database")
    func startingTogether() async throws {
        let url = try TestCluster.makeDatabase()
        defer { try? TestCluster.removeDatabase(url) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let database = try open(url)
                    try await Schema.migrate(database)
                    try database.close()
                }
            }
            try await group.waitForAll()
        }

        let steps = try TestCluster.number("SELECT count(*) FROM schema_migration", at: url)
        let tables = try TestCluster.number("SELECT count(*) FROM pg_tables WHERE tablename = 'purchase'", at: url)
        let places = try TestCluster.number("SELECT max(applied) FROM schema_migration", at: url)
        #expect(steps > 0 && steps == places && tables == 1)
    }

    @Test("A newer schema is refused with the name of its step") func aNewerSchemaIsLeftAlone() async throws {
        let url = try TestCluster.makeDatabase()
        defer { try? TestCluster.removeDatabase(url) }
        let database = try open(url)
        try await Schema.migrate(database)
        try TestCluster.execute("INSERT INTO schema_migration VALUES ('999 wonders', 999)", at: url)

        let error = try await databaseError { try await Schema.migrate(database) }

        #expect(error.code == .newerSchema && error.message.contains("999 wonders"))
        try database.close()
    }

    @Test(
        "Rows that an older version's process commits while its tables are made again are kept",
        arguments: ["019 refunds", "022 buckets"])
    func committedMeanwhile(step: String) async throws {
        let url = try TestCluster.makeDatabase()
        defer { try? TestCluster.removeDatabase(url) }
        let (old, new) = (try open(url), try open(url))
        try await Migrator(Array(Schema.migrations.prefix { $0.name != step })).migrate(old)
        let gate = Gate()
        // A failure below ends the test, instead of waiting for the gate.
        defer { gate.open() }
        async let purchase: Void = old.write(.all) { connection in
            try connection.run(
                """
                INSERT INTO account (environment, account_id, email, password_hash, storefront, event_number, created_at)
                VALUES ('Sandbox', 'ann', 'ann@example.com', '', 'USA', 0, 0)
                """)
            let payer = step == "019 refunds" ? "" : "payer_id, "
            try connection.run(
                """
                INSERT INTO payment (environment, payment_number, device_id, request_id, account_id, \(payer)milliunits,
                    currency, status, created_at)
                VALUES ('Sandbox', '1', 'phone', '1', 'ann', \(payer.isEmpty ? "" : "'ann', ")990, 'USD', 'captured', 0)
                """)
            gate.hold()
        }
        try await until { gate.arrivals == 1 }
        async let migration: Void = Schema.migrate(new)
        try await until { try lockWaits(at: url) == 1 }
        gate.open()
        try await purchase
        try await migration

        #expect(try TestCluster.number("SELECT count(*) FROM account", at: url) == 1)
        #expect(try TestCluster.number("SELECT sum(milliunits) FROM payment", at: url) == 990)
        try old.close()
        try new.close()
    }

    @Test("An account's row is found by the primary key")
    func accountLockUsesTheIndex() async throws {
        let url = try TestCluster.makeDatabase()
        defer { try? TestCluster.removeDatabase(url) }
        let database = try open(url)
        try await Schema.migrate(database)
        let lock = Schema.accountLock
        let plan = try await database.read { connection in
            try connection.run("SET LOCAL enable_seqscan = off")
            return try connection.rows("EXPLAIN \(lock.replacing("$1", with: "'ann'"))")
                .map { try $0.get("QUERY PLAN") as String }.joined(separator: "\n")
        }

        for condition in ["Index Cond", "environment", "account_id = 'ann'", "bucket = 960"] {
            #expect(plan.contains(condition), "\(plan)")
        }
        try database.close()
    }
}
