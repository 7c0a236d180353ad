// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// Fills a store's tables with sales, the same number for each customer. The
/// catalogue has a thousand apps with a hundred thousand products, however
/// many sales there are.
package struct GrownStore {
    /// Years of sales.
    package static let purchases = 1_000_000
    /// The number of rows per statement, so that no statement exceeds an
    /// engine's time limit, also beside programs that are preferred.
    private static let batch = 10_000

    private let database: any Database
    private let isPostgreSQL: Bool
    private let purchases: Int
    private let customers: Int

    /// Prepares a number of purchases for a database that has the store's
    /// tables. The customers are a tenth of them unless they are given.
    package init(
        _ database: any Database, isPostgreSQL: Bool, purchases: Int = GrownStore.purchases, customers: Int? = nil
    ) {
        self.database = database
        self.isPostgreSQL = isPostgreSQL
        self.purchases = purchases
        self.customers = customers ?? purchases / 10
    }

    /// The names of the tables that grow with customers and sales.
    package static let growing =
        (catalogueTables + customersTables + purchasesTables(customers: purchases / 10)).map(\.name)

    private struct Table {
        var name: String
        var columns: String
        var values: String
        /// The number of rows, if it isn't that of the other tables.
        var rows: Int?
    }

    /// A thousand apps, with a hundred thousand products.
    private static let catalogueTables = [
        Table(
            name: "app", columns: "bundle_id, name, team_id", values: "'app.' || i, 'App', 'team' || (i % 20)",
            rows: 1000),
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
        Table(
            name: "subscription_group", columns: "bundle_id, group_id, reference_name",
            values: "'app.' || i, 'g', 'Group'", rows: 1000),
        Table(
            name: "subscription_group_localization", columns: "bundle_id, group_id, locale, title, description",
            values: "'app.' || i, 'g', 'en_US', 'Group', 'Good'", rows: 1000),
        Table(
            name: "subscription_plan", columns: "bundle_id, product_id, group_id, level, period",
            values: "'app.' || (i % 1000 + 1), 'p' || i, 'g', 1, 'P1M'", rows: 100_000),
    ]

    private static let customersTables = [
        Table(
            name: "account",
            columns: "account_id, bucket, email, password_hash, storefront, event_number, created_at",
            values: "'a' || i, i % 1000, 'grown-' || i || '@example.com', 'x', 'USA', 1000, i"),
        Table(
            name: "shared_contact",
            columns: "transaction_id, bucket, account_id, bundle_id, product_id, name, email, postcode, shared_at",
            values: "'t' || i, i % 1000, 'a' || i, 'com.example.fruit', 'juice', 'Name', 'Address', '1010', i"),
        Table(
            name: "offer_use",
            columns: "transaction_id, bucket, account_id, bundle_id, group_id, kind, offer_id, used_at",
            values: "'t' || i, i % 1000, 'a' || i, 'com.example.fruit', 'g', 'introductory', '', i"),
        Table(
            name: "offer_nonce", columns: "bundle_id, key_id, nonce, used_at",
            values: "'com.example.fruit', 'KEY', 'n' || i, i"),
        Table(
            name: "offer_code_batch",
            columns: """
                batch_id, bundle_id, product_id, kind, offer_id, name, size, uses_limit, fingerprint, made, created_at
                """,
            values: "'b' || i, 'com.example.app' || i % 500, 'juice', 'one-time', 'o', 'Name', 1, 1, 'f', 1, i"),
        Table(
            name: "offer_code", columns: "hash, batch_id, number, uses, uses_limit",
            values: "'h' || i, 'b' || i % 1000, i, i % 2, 1"),
        Table(
            name: "code_redemption",
            columns: """
                payment_number, bucket, account_id, hash, batch_id, bundle_id, product_id, offer_id, transaction_id,
                redeemed_at
                """,
            values: """
                'c' || i, i % 1000, 'a' || i, 'h' || i, 'b' || i % 1000, 'com.example.fruit', 'juice', 'o', 't' || i, i
                """),
        Table(
            name: "account_email", columns: "email, account_id, account_bucket",
            values: "'grown-' || i || '@example.com', 'a' || i, i % 1000"),
        Table(
            name: "family_member", columns: "account_id, account_bucket, family_id, role, joined_at",
            values: "'a' || i, i % 1000, 'f' || (i / 6), CASE WHEN i % 6 = 0 THEN 'organiser' ELSE 'child' END, i"),
        Table(
            name: "family_sharing", columns: "account_id, bucket, revision, done",
            values: "'a' || i, i % 1000, 1, 1"),
        Table(
            name: "payment_method",
            columns: "account_id, bucket, method_id, kind, label, digits, reference, added_at",
            values: "'a' || i, i % 1000, 'm' || i, 'card', 'Sandbox', '0001', 'accepted', i"),
        Table(
            name: "device", columns: "device_id, secret_hash, account_id, account_bucket, created_at, seen_at",
            values: """
                'd' || i, 'x', CASE WHEN i % 2 = 0 THEN 'a' || i END, CASE WHEN i % 2 = 0 THEN i % 1000 END, i, i
                """),
        Table(
            name: "device_news", columns: "device_id, news_number, kind, request_id, created_at",
            values: "'d' || i, 1, 'request', 'r' || i, i"),
        Table(
            name: "sign_in_throttle", columns: "kind, subject, failures, failed_at, blocked_until",
            values: "'account', 'stranger-' || i || '@example.com', 1, i, i"),
        Table(
            name: "sheet_session", columns: "token_hash, account_id, account_bucket, expires_at",
            values: "'s' || i, 'a' || i, i % 1000, i"),
        Table(
            name: "reservation", columns: "account_id, bucket, bundle_id, product_id, payment_number, transaction_id",
            values: "'a' || i, i % 1000, 'com.example.fruit', 'pear', 'p' || i, \(transaction)"),
        Table(
            name: "key_value",
            columns: "account_id, bucket, bundle_id, key_name, value, value_bytes, event_number, removed_at",
            values: "'a' || i, i % 1000, 'com.example.fruit', 'level', CASE WHEN i % 2 = 0 THEN '1' END, 1, i, i"),
        Table(
            name: "key_value_writer", columns: "device_id, bundle_id, sequence",
            values: "'d' || i, 'com.example.fruit', 1"),
    ]

    /// Numbers of 15 digits, far from one another: the store's own, which are
    /// random, belong in between, so that an index is as slow as after years.
    private static let spread = "CAST(100000000000000 + i * 800000000 AS TEXT)"
    private static let transaction = "'2' || \(spread)"

    /// A moment after every test's.
    private static let later = "9000000000000 + i"

    /// Customer i has the purchases i - 1, i - 1 + customers and so on.
    ///
    /// The buckets of the rows aren't those of the identifiers, which would
    /// take long to compute.
    private static func purchasesTables(customers: Int) -> [Table] {
        let customer = "(i % \(customers) + 1)"
        let bucket = "\(customer) % 1000"
        return [
            Table(
                name: "request",
                columns: """
                    device_id, request_id, kind, bundle_id, product_id, quantity, username, status, account_id,
                    transaction_id, event_number, failure_code, failure_message, created_at, changed_at
                    """,
                values: """
                    'd' || \(customer), 'r' || i, 'payment', 'com.example.fruit', 'juice', 1, NULL, 'done',
                    'a' || \(customer), \(transaction), i, NULL, NULL, i, i
                    """),
            Table(
                name: "sheet", columns: "token, device_id, request_id, status, expires_at, closing_at",
                values: "\(Self.spread), 'd' || \(customer), 'r' || i, 'confirmed', i, i"),
            Table(
                name: "payment",
                columns: """
                    payment_number, bucket, payer_bucket, device_id, request_id, account_id, payer_id, milliunits,
                    currency, status, created_at
                    """,
                values: """
                    'p' || i, \(bucket), \(bucket), 'd' || \(customer), 'r' || i, 'a' || \(customer), 'a' || \(customer), 490,
                    'USD', 'captured', i
                    """),
            Table(
                name: "refund",
                columns: "refund_id, bucket, payment_number, milliunits, currency, reason, status, created_at",
                values: "'f' || i, \(bucket), 'p' || i, 100, 'USD', 'requested', 'done', i"),
            Table(
                name: "sandbox_refund", columns: "refund_id, payment_number, milliunits, created_at",
                values: "'f' || i, 'p' || i, 100, i"),
            Table(
                name: "purchase",
                columns: """
                    transaction_id, bucket, original_transaction_id, account_id, bundle_id, product_id, kind, quantity,
                    username, purchased_at, original_purchased_at, milliunits, currency, storefront, device_id, request_id,
                    is_in_receipt, revoked_at
                    """,
                values: """
                    \(transaction), \(bucket), \(transaction), 'a' || \(customer), 'com.example.fruit', 'juice',
                    'Non-Consumable', 1, NULL, i, i, 490, 'USD', 'USA', 'd' || \(customer), 'r' || i, i % 2, NULL
                    """),
            Table(
                name: "ledger_entry",
                columns: "entry_id, bucket, kind, account_id, transaction_id, payment_number, milliunits, currency, at",
                values: "'p' || i, \(bucket), 'charge', 'a' || \(customer), \(transaction), 'p' || i, 490, 'USD', i"),
            Table(
                name: "queue_entry",
                columns: "device_id, transaction_id, bucket, account_id, bundle_id, request_id, event_number",
                values: """
                    'd' || \(customer), \(transaction), \(bucket), 'a' || \(customer), 'com.example.fruit', 'r' || i, i
                    """),
            Table(
                name: "event", columns: "account_id, event_number, bucket, kind, bundle_id, transaction_id, created_at",
                values: """
                    'a' || \(customer), i / \(customers), \(bucket), 'transaction', 'com.example.fruit', \(transaction), i
                    """),
            Table(
                name: "restored_transaction",
                columns: """
                    device_id, request_id, place, transaction_id, restores_transaction_id, account_bucket, restored_at,
                    created_at
                    """,
                values: "'d' || \(customer), 'r' || i, 0, 'u' || i, \(transaction), \(bucket), i, i"),
            // Each customer has ten groups of subscriptions.
            Table(
                name: "subscription",
                columns: """
                    original_transaction_id, bucket, account_id, bundle_id, group_id, period_number, event_count,
                    due_at, due_store_at
                    """,
                values: """
                    \(transaction), \(bucket), 'a' || \(customer), 'app.1', 'g' || i, 1, 1,
                    \(Self.later), \(Self.later)
                    """),
            Table(
                name: "subscription_event",
                columns: "original_transaction_id, number, bucket, kind, at, details",
                values: "\(transaction), 1, \(bucket), 'subscribed', i, '{}'"),
            Table(
                name: "provider_event", columns: "event_id, payment_number, kind, received_at, handled_at, outcome",
                values: "'e' || i, 'p' || i, 'authorised', i, i, 'purchased'"),
            Table(
                name: "sandbox_payment", columns: "payment_number, status, milliunits, currency, created_at",
                values: """
                    'p' || i, CASE WHEN i % 2 = 0 THEN 'captured' ELSE 'declined' END, 490, 'USD', i
                    """),
        ]
    }

    /// Fills the tables, or only those with some names, and gathers the
    /// planner's statistics.
    ///
    /// - Throws: `DatabaseError`, also when the tables to which rows refer
    ///   aren't among the names.
    package func fill(only names: Set<String>? = nil) async throws {
        func isChosen(_ name: String) -> Bool { names?.contains(name) ?? true }
        for table in Self.catalogueTables where isChosen(table.name) { try await fill(table, with: table.rows ?? 0) }
        for table in Self.customersTables where isChosen(table.name) { try await fill(table, with: customers) }
        for table in Self.purchasesTables(customers: customers) where isChosen(table.name) {
            try await fill(table, with: purchases)
        }
        // PostgreSQL gathers them itself after a while; on SQLite only this
        // does.
        for table in Self.growing where isChosen(table) { try await database.write { try $0.run("ANALYZE \(table)") } }
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
            try await database.write { [isPostgreSQL] connection in
                // The rows satisfy the foreign keys, so the server needn't check them.
                if isPostgreSQL { try connection.run("SET LOCAL session_replication_role = replica") }
                try connection.run(sql, [first, min(first + Self.batch - 1, count)])
            }
        }
    }
}
