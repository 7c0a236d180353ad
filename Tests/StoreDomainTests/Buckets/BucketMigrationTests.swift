// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// A database of a version without buckets.
struct BucketMigrationTests {
    private static let apple: TransactionIdentifier = "2000000000000007"
    private static let seed: TransactionIdentifier = "2000000000000008"

    @Test("Old rows get the bucket of their account", arguments: Engine.stores)
    func rows(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await Self.fill(database)

            let store = try await TestStore(database)

            for (table, count) in [
                "payment": 1, "refund": 1, "reservation": 1, "purchase": 2, "ledger_entry": 2, "queue_entry": 1,
                "event": 2, "device_app": 1, "key_value": 1, "key_value_pruned": 1,
            ] {
                #expect(try await store.count(table, where: "bucket = 535") == count, "\(table)")
                #expect(try await store.count(table) == count, "\(table)")
            }
            for table in ["device", "sheet_session", "restored_transaction", "account_email"] {
                #expect(try await store.count(table, where: "account_bucket = 535") == 1, "\(table)")
            }
            #expect(try await store.count("account", where: "bucket = 10") == 1)
            #expect(try await store.count("device_app", where: "first_seen_at = 1 AND last_seen_at = 1") == 1)
            #expect(try await store.count("device", where: "account_bucket IS NULL") == 1)
            #expect(try await store.count("account_email") == 1)
        }
    }

    @Test("An older number is finished, looked up and refunded, and a new one has the bucket", arguments: Engine.stores)
    func older(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await Self.fill(database)
            let store = try await TestStore(database)

            #expect(try await FinishingTransaction(store.context)(Self.seed, on: "d1") == "ffff0000")
            #expect(try await store.count("queue_entry") == 0)
            _ = try await store.service.refund(Self.apple)
            #expect(try await store.count("purchase", where: "revoked_at IS NOT NULL") == 1)

            let anna = try await FindingAccount(store.context)(email: "anna@example.com")
            let phone = try await store.addDevice()
            let bought = TransactionIdentifier(
                try await phone.buy("apple", request: "again", as: anna).transactionIdentifier)
            #expect(bought.bucket == 535)
            let states = try await store.context.read { db in
                try LookingUpPurchases.states(
                    of: [Self.apple, Self.seed, bought, "2000000000000009"],
                    in: BundleIdentifier(TestStore.bundleIdentifier), db)
            }
            #expect(Set(states.keys) == [Self.apple, Self.seed, bought])
            #expect(states[Self.apple]?.revoked != nil && states[bought]?.revoked == nil)
        }
    }

    @Test("An address is unique among the old and the new accounts that aren't closed", arguments: Engine.stores)
    func addresses(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await Self.fill(database)
            let store = try await TestStore(database)
            let adding = AddingAccount(store.context)

            let error = await #expect(throws: DomainError.self) {
                _ = try await adding(email: "anna@example.com", password: "secret", storefront: "USA")
            }
            #expect(error?.code == .exists)
            try await ClosingAccount(store.context)(email: "anna@example.com")
            await #expect(throws: DomainError.self) {
                _ = try await FindingAccount(store.context)(email: "anna@example.com")
            }
            let again = try await adding(email: "anna@example.com", password: "secret", storefront: "USA")
            #expect(try await FindingAccount(store.context)(email: "anna@example.com") == again)
        }
    }

    /// Makes a database of the version before buckets, with an open and a
    /// closed account.
    private static func fill(_ database: any Database) async throws {
        let old = Schema.migrations.prefix { $0.name != Schema.buckets.name }
        try await Migrator(Array(old)).migrate(database)
        try await database.write { connection in
            for statement in accounts + purchases { try connection.run(statement) }
        }
    }

    private static let accounts = [
        """
        INSERT INTO account (environment, account_id, email, password_hash, storefront, event_number, created_at,
            closed_at)
        VALUES ('Sandbox', 'ffff0000', 'anna@example.com', 'x', 'USA', 2, 1, NULL),
            ('Sandbox', '000a0000', 'closed:000a0000', '', 'USA', 0, 1, 2)
        """,
        """
        INSERT INTO device (environment, device_id, secret_hash, account_id, created_at)
        VALUES ('Sandbox', 'd1', 'x', 'ffff0000', 1), ('Sandbox', 'd2', 'x', NULL, 1)
        """,
        """
        INSERT INTO sheet_session (environment, token_hash, account_id, expires_at)
        VALUES ('Sandbox', 's', 'ffff0000', 1)
        """,
        """
        INSERT INTO device_app (environment, account_id, bundle_id, device_id, last_seen_at)
        VALUES ('Sandbox', 'ffff0000', 'com.example.fruit', 'd1', 1)
        """,
        """
        INSERT INTO key_value (environment, account_id, bundle_id, key_name, value, value_bytes, event_number)
        VALUES ('Sandbox', 'ffff0000', 'com.example.fruit', 'level', 'MQ==', 1, 1)
        """,
        """
        INSERT INTO key_value_pruned (environment, account_id, bundle_id, event_number)
        VALUES ('Sandbox', 'ffff0000', 'com.example.fruit', 1)
        """,
    ]

    private static let purchases = [
        """
        INSERT INTO payment (environment, payment_number, device_id, request_id, account_id, payer_id, milliunits,
            returned_milliunits, currency, storefront, status, created_at)
        VALUES ('Sandbox', 'p', 'd1', 'r1', 'ffff0000', 'ffff0000', 990, 90, 'USD', 'USA', 'captured', 1)
        """,
        """
        INSERT INTO sandbox_payment (payment_number, status, milliunits, currency, refunded_milliunits)
        VALUES ('p', 'captured', 990, 'USD', 90)
        """,
        """
        INSERT INTO refund (environment, refund_id, payment_number, milliunits, currency, reason, status, created_at)
        VALUES ('Sandbox', 'f', 'p', 90, 'USD', 'requested', 'done', 1)
        """,
        """
        INSERT INTO purchase (environment, transaction_id, original_transaction_id, account_id, bundle_id,
            product_id, kind, quantity, purchased_at, original_purchased_at, milliunits, currency, storefront,
            device_id, request_id, is_in_receipt)
        VALUES
            ('Sandbox', '\(apple)', '\(apple)', 'ffff0000', 'com.example.fruit', 'apple', 'Non-Consumable', 1, 1, 1,
                990, 'USD', 'USA', 'd1', 'r1', 1),
            ('Sandbox', '\(seed)', '\(seed)', 'ffff0000', 'com.example.fruit', 'seed', 'Consumable', 1, 1, 1,
                0, 'USD', 'USA', 'd1', 'r2', 1)
        """,
        """
        INSERT INTO reservation (environment, account_id, bundle_id, product_id, payment_number, transaction_id)
        VALUES ('Sandbox', 'ffff0000', 'com.example.fruit', 'apple', 'p', '\(apple)')
        """,
        """
        INSERT INTO ledger_entry (environment, entry_id, kind, account_id, transaction_id, payment_number, milliunits,
            currency, at)
        VALUES ('Sandbox', 'p', 'charge', 'ffff0000', '\(apple)', 'p', 990, 'USD', 1),
            ('Sandbox', 'f', 'refund', 'ffff0000', '\(apple)', 'p', -90, 'USD', 1)
        """,
        """
        INSERT INTO event (environment, account_id, event_number, kind, bundle_id, transaction_id)
        VALUES ('Sandbox', 'ffff0000', 1, 'transaction', 'com.example.fruit', '\(apple)'),
            ('Sandbox', 'ffff0000', 2, 'transaction', 'com.example.fruit', '\(seed)')
        """,
        """
        INSERT INTO queue_entry (environment, device_id, transaction_id, account_id, bundle_id, event_number)
        VALUES ('Sandbox', 'd1', '\(seed)', 'ffff0000', 'com.example.fruit', 2)
        """,
        """
        INSERT INTO restored_transaction (environment, device_id, request_id, place, transaction_id,
            restores_transaction_id, restored_at)
        VALUES ('Sandbox', 'd1', 'restore', 0, '2000000000000009', '\(apple)', 1)
        """,
    ]
}
