// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// A database of a version without rows for refunds.
struct RefundMigrationTests {
    @Test("Payments of an older version keep their rows, and a due refund is given back", arguments: Engine.stores)
    func old(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await Self.fill(database)

            let store = try await TestStore(database)

            let payments = try await Self.payments(database)
            #expect(
                payments == [
                    "captured d r1 a a 990 0 USD DEU captured 1", "pending d r4 a a 990 0 USD DEU pending 4",
                    "refunded d r2 a a 990 990 USD DEU refunded 2", "refunding d r3 a a 990 990 USD DEU refunding 3",
                ])
            #expect(try await store.count("refund") == 2)
            #expect(
                try await store.count(
                    "refund", where: "refund_id = 'e-refunding' AND status = 'due' AND milliunits = 990")
                    == 1)
            #expect(try await store.count("sandbox_payment", where: "refunded_milliunits = 990") == 1)

            try await store.recover()

            #expect(try await store.payment("refunding") == nil)
            #expect(try await store.count("sandbox_payment", where: "status = 'refunded'") == 2)
            #expect(try await store.count("refund", where: "status = 'done'") == 2)
            // The charge that is left can be refunded in parts now.
            try await store.service.refund("t-captured", amount: "0.40")
            #expect(try await store.ledger() == [990, 990, 990, -400, -990, -990])
        }
    }

    @Test("The indexes of the payments exist after the migration", arguments: Engine.stores)
    func indexes(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await Schema.migrate(database)
            try await database.write { connection in
                for index in ["payment_open", "payment_pending", "payment_pending_of_request", "ledger_of_payment"] {
                    _ = try connection.run("DROP INDEX \(index)")
                }
            }
        }
    }

    /// The columns of all payments, in order of their numbers.
    private static func payments(_ database: any Database) async throws -> [String] {
        let columns = [
            "payment_number", "device_id", "request_id", "account_id", "payer_id", "milliunits", "returned_milliunits",
            "currency", "storefront", "status", "created_at",
        ]
        return try await database.read { connection in
            let values = columns.map { "CAST(\($0) AS TEXT)" }.joined(separator: " || ' ' || ")
            return try connection.rows("SELECT \(values) AS line FROM payment ORDER BY payment_number")
                .map { try $0.get("line") }
        }
    }

    /// Makes a database of the version before refunds had rows, with a
    /// payment of each kind.
    private static func fill(_ database: any Database) async throws {
        let old = Schema.migrations.prefix { $0.name != Schema.refunds.name }
        try await Migrator(Array(old)).migrate(database)
        try await database.write { connection in
            try connection.run(
                """
                INSERT INTO account (environment, account_id, email, password_hash, storefront, event_number,
                    created_at)
                VALUES ('Sandbox', 'a', 'anna@example.com', 'x', 'DEU', 0, 1)
                """)
            for (number, status) in ["captured", "refunded", "refunding", "pending"].enumerated() {
                try insert(status, number + 1, connection)
            }
        }
    }

    private static func insert(_ status: String, _ number: Int, _ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO payment (environment, payment_number, device_id, request_id, account_id, milliunits,
                currency, storefront, status, created_at, pending_until)
            VALUES ('Sandbox', '\(status)', 'd', 'r\(number)', 'a', 990, 'USD', 'DEU', '\(status)', \(number),
                \(status == "pending" ? "\(Int64.max)" : "NULL"))
            """)
        guard status != "pending" else { return }
        try connection.run(
            """
            INSERT INTO sandbox_payment (payment_number, status, milliunits, currency)
            VALUES ('\(status)', '\(status == "refunded" ? "refunded" : "captured")', 990, 'USD')
            """)
        try connection.run(
            """
            INSERT INTO purchase (environment, transaction_id, original_transaction_id, account_id, bundle_id,
                product_id, kind, quantity, purchased_at, original_purchased_at, milliunits, currency, storefront,
                device_id, request_id, is_in_receipt, revoked_at)
            VALUES ('Sandbox', 't-\(status)', 't-\(status)', 'a', 'com.example.fruit', 'juice', 'Consumable', 1, 1, 1,
                990, 'USD', 'DEU', 'd', 'r\(number)', 1, \(status == "captured" ? "NULL" : "2"))
            """)
        for (kind, entry, amount) in [("charge", status, 990), ("refund", "e-\(status)", -990)]
        where kind == "charge" || status != "captured" {
            try connection.run(
                """
                INSERT INTO ledger_entry (environment, entry_id, kind, account_id, transaction_id, payment_number,
                    milliunits, currency, at)
                VALUES ('Sandbox', '\(entry)', '\(kind)', 'a', 't-\(status)', '\(status)', \(amount), 'USD', 2)
                """)
        }
    }
}
