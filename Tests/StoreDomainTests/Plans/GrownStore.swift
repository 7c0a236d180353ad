// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport

/// Fills a store's tables with years of sales: a hundred thousand customers
/// with ten purchases each.
struct GrownStore {
    static let purchases = 1_000_000
    private static let customers = 100_000
    /// The number of rows per statement, so that no statement exceeds an
    /// engine's time limit.
    private static let batch = 100_000

    let engine: Engine
    let database: any Database

    /// The names of the tables that grow with customers and sales.
    static let growing = (catalogueTables + customersTables + purchasesTables).map(\.name)

    private struct Table {
        var name: String
        var columns: String
        var values: String
        /// The number of rows, if it isn't that of the other tables.
        var rows: Int?
    }

    /// A thousand apps, with a hundred thousand products.
    private static let catalogueTables = [
        Table(name: "app", columns: "bundle_id, name", values: "'app.' || i, 'App'", rows: 1000),
        Table(
            name: "catalogue_source", columns: "bundle_id, name, contents, checksum, imported_at",
            values: "'app.' || i, 'app.storekit', CAST('' AS blob), 'x', i", rows: 1000),
        Table(
            name: "product",
            columns: "bundle_id, product_id, kind, reference_name, family_shareable, for_sale, milliunits",
            values: "'app.' || (i % 1000 + 1), 'p' || i, 'Consumable', 'Product', 0, 1, 990", rows: 100_000),
        Table(
            name: "product_localization", columns: "bundle_id, product_id, locale, title, description",
            values: "'app.' || (i % 1000 + 1), 'p' || i, 'en_US', 'Product', 'Good'", rows: 100_000),
        Table(
            name: "product_price", columns: "bundle_id, product_id, storefront, milliunits",
            values: "'app.' || (i % 1000 + 1), 'p' || i, 'DEU', 990", rows: 100_000),
        Table(
            name: "product_exclusion", columns: "bundle_id, product_id, storefront",
            values: "'app.' || (i % 1000 + 1), 'p' || i, 'JPN'", rows: 100_000),
    ]

    private static let customersTables = [
        Table(
            name: "account",
            columns: "account_id, email, password_hash, storefront, event_number, created_at",
            values: "'a' || i, 'customer-' || i || '@example.com', 'x', 'USA', 1000, i"),
        Table(
            name: "device", columns: "device_id, secret_hash, account_id, created_at, seen_at",
            values: "'d' || i, 'x', CASE WHEN i % 2 = 0 THEN 'a' || i END, i, i"),
        Table(
            name: "device_news", columns: "device_id, news_number, kind, request_id, created_at",
            values: "'d' || i, 1, 'request', 'r' || i, i"),
        Table(
            name: "sign_in_throttle", columns: "kind, subject, failures, failed_at, blocked_until",
            values: "'account', 'stranger-' || i || '@example.com', 1, i, i"),
        Table(
            name: "sheet_session", columns: "token_hash, account_id, expires_at",
            values: "'s' || i, 'a' || i, i"),
        Table(
            name: "reservation", columns: "account_id, bundle_id, product_id, payment_number, transaction_id",
            values: "'a' || i, 'com.example.fruit', 'pear', 'p' || i, 't' || i"),
        Table(
            name: "key_value", columns: "account_id, bundle_id, key_name, value, value_bytes, event_number, removed_at",
            values: "'a' || i, 'com.example.fruit', 'level', CASE WHEN i % 2 = 0 THEN '1' END, 1, i, i"),
        Table(
            name: "key_value_writer", columns: "device_id, bundle_id, sequence",
            values: "'d' || i, 'com.example.fruit', 1"),
    ]

    private static let purchasesTables = [
        Table(
            name: "request",
            columns: """
                device_id, request_id, kind, bundle_id, product_id, quantity, username, status, account_id,
                transaction_id, event_number, failure_code, failure_message, created_at
                """,
            values: """
                'd' || (i % 100000 + 1), 'r' || i, 'payment', 'com.example.fruit', 'juice', 1, NULL, 'done',
                'a' || (i % 100000 + 1), 't' || i, i, NULL, NULL, i
                """),
        Table(
            name: "sheet", columns: "token, device_id, request_id, status, expires_at, closing_at",
            values: "'w' || i, 'd' || (i % 100000 + 1), 'r' || i, 'confirmed', i, i"),
        Table(
            name: "payment",
            columns: """
                payment_number, device_id, request_id, account_id, payer_id, milliunits, currency, status, created_at
                """,
            values: """
                'p' || i, 'd' || (i % 100000 + 1), 'r' || i, 'a' || (i % 100000 + 1), 'a' || (i % 100000 + 1), 490,
                'USD', 'captured', i
                """),
        Table(
            name: "refund", columns: "refund_id, payment_number, milliunits, currency, reason, status, created_at",
            values: "'f' || i, 'p' || i, 100, 'USD', 'requested', 'done', i"),
        Table(
            name: "sandbox_refund", columns: "refund_id, payment_number, milliunits, created_at",
            values: "'f' || i, 'p' || i, 100, i"),
        Table(
            name: "purchase",
            columns: """
                transaction_id, original_transaction_id, account_id, bundle_id, product_id, kind, quantity, username,
                purchased_at, original_purchased_at, milliunits, currency, storefront, device_id, request_id,
                is_in_receipt, revoked_at
                """,
            values: """
                't' || i, 't' || i, 'a' || (i % 100000 + 1), 'com.example.fruit', 'juice', 'Non-Consumable', 1, NULL,
                i, i, 490, 'USD', 'USA', 'd' || (i % 100000 + 1), 'r' || i, i % 2, NULL
                """),
        Table(
            name: "ledger_entry",
            columns: "entry_id, kind, account_id, transaction_id, payment_number, milliunits, currency, at",
            values: "'p' || i, 'charge', 'a' || (i % 100000 + 1), 't' || i, 'p' || i, 490, 'USD', i"),
        Table(
            name: "queue_entry",
            columns: "device_id, transaction_id, account_id, bundle_id, request_id, event_number",
            values: """
                'd' || (i % 100000 + 1), 't' || i, 'a' || (i % 100000 + 1), 'com.example.fruit', 'r' || i, i
                """),
        Table(
            name: "event", columns: "account_id, event_number, kind, bundle_id, transaction_id, created_at",
            values: "'a' || (i % 100000 + 1), i / 100000, 'transaction', 'com.example.fruit', 't' || i, i"),
        Table(
            name: "restored_transaction",
            columns: """
                device_id, request_id, place, transaction_id, restores_transaction_id, restored_at, created_at
                """,
            values: "'d' || (i % 100000 + 1), 'r' || i, 0, 'u' || i, 't' || i, i, i"),
        Table(
            name: "provider_event", columns: "event_id, payment_number, kind, received_at, handled_at, outcome",
            values: "'e' || i, 'p' || i, 'authorised', i, i, 'purchased'"),
        Table(
            name: "sandbox_payment", columns: "payment_number, status, milliunits, currency, created_at",
            values: """
                'p' || i, CASE WHEN i % 2 = 0 THEN 'captured' ELSE 'declined' END, 490, 'USD', i
                """),
    ]

    func fill() async throws {
        for table in Self.catalogueTables { try await fill(table, with: table.rows ?? 0) }
        for table in Self.customersTables { try await fill(table, with: Self.customers) }
        for table in Self.purchasesTables { try await fill(table, with: Self.purchases) }
        // The planner's statistics. PostgreSQL gathers them itself after a
        // while; on SQLite only this test does.
        for table in Self.growing { try await database.write { try $0.run("ANALYZE \(table)") } }
    }

    private func fill(_ table: Table, with count: Int) async throws {
        let isShared = table.rows != nil || table.name.hasPrefix("sandbox_")
        let sql = """
            WITH RECURSIVE series (i) AS (
                SELECT CAST($1 AS BIGINT) UNION ALL SELECT i + 1 FROM series WHERE i < $2
            )
            INSERT INTO \(table.name) (\(isShared ? "" : "environment, ")\(table.columns))
            SELECT \(isShared ? "" : "'Sandbox', ")\(table.values) FROM series
            """
        for first in stride(from: 1, through: count, by: Self.batch) {
            try await database.write { [isPostgreSQL = engine.isPostgreSQL] connection in
                // The rows satisfy the foreign keys, so the server needn't check them.
                if isPostgreSQL { try connection.run("SET LOCAL session_replication_role = replica") }
                try connection.run(sql, [first, min(first + Self.batch - 1, count)])
            }
        }
    }
}
