// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The buckets in the rows and the keys of the tables.
struct BucketRowTests {
    /// The tables of accounts.
    static let tables: Set<String> = [
        "account", "account_token", "app_transaction", "campaign_purchase", "code_redemption", "device_app", "event",
        "family_sharing",
        "item_purchase", "key_value", "key_value_pruned", "ledger_entry", "offer_use", "parent_notice", "payment",
        "payment_method",
        "purchase", "queue_entry", "refund", "refund_request", "reservation", "shared_contact", "subscription",
        "subscription_event",
    ]

    @Test("Every row of an account has the account's bucket", arguments: Engine.stores)
    func rows(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await sell(to: anna, on: phone, store)

            for table in ["account", "event", "ledger_entry", "payment", "purchase", "queue_entry", "reservation"] {
                #expect(try await store.count(table) > 0, "\(table)")
                #expect(
                    try await store.count(table, where: "bucket <> \(Schema.bucket(of: "account_id"))") == 0,
                    "\(table)")
            }
            for (table, column) in [
                ("refund", "bucket"), ("payment", "payer_bucket"), ("device", "account_bucket"),
                ("account_email", "account_bucket"), ("restored_transaction", "account_bucket"),
            ] {
                #expect(try await store.count(table) > 0, "\(table)")
                #expect(
                    try await store.count(table, where: "\(column) <> \(anna.identifier.bucket)") == 0, "\(table)")
            }
        }
    }

    @Test("Every transaction identifier has its account's bucket", arguments: Engine.stores)
    func identifiers(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await sell(to: anna, on: phone, store)

            for table in ["purchase", "restored_transaction", "request"] {
                let identifiers = try await store.context.database.read { connection in
                    try connection.rows("SELECT transaction_id FROM \(table) WHERE transaction_id IS NOT NULL")
                        .map { row -> TransactionIdentifier in try row.get("transaction_id") }
                }
                #expect(!identifiers.isEmpty, "\(table)")
                #expect(identifiers.allSatisfy { $0.bucket == anna.identifier.bucket }, "\(table): \(identifiers)")
                #expect(Set(identifiers).count == identifiers.count)
            }
        }
    }

    /// Sells products in each way in which a transaction gets its identifier.
    private func sell(to anna: Account, on phone: TestDevice, _ store: TestStore) async throws {
        try await phone.buy("apple", request: "apple", as: anna)
        let juice = try await phone.buy("juice", request: "juice", as: anna)
        try await store.service.refund(TransactionIdentifier(juice.transactionIdentifier))
        let apple = try await phone.buy("apple", request: "apple again", as: anna)
        try await phone.finish(apple.transactionIdentifier)
        for name in try await phone.queue().map(\.transactionIdentifier) { try await phone.finish(name) }
        _ = try await phone.restore(request: "restore")
        _ = try await store.service.change(account: anna.email, .init(switches: [.asksToBuy: true]))
        _ = try await phone.ask("pear", request: "pear")
        _ = try await store.service.approve(try await store.onlyUndecided())
        _ = try await store.service.change(
            account: anna.email, .init(switches: [.asksToBuy: false, .interruptsPurchases: true]))
        let sheet = try phone.token(try await phone.ask("juice", request: "interrupted").sheet)
        _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
    }

    @Test("The bucket is in the primary key and in each unique constraint of an account's table")
    func keys() async throws {
        try await Engine.sqliteMemory.withDatabase { database in
            try await Schema.migrate(database)
            let keys = try await database.read { connection in
                try connection.rows(
                    """
                    SELECT name AS owner, (
                        SELECT group_concat(part.name) FROM pragma_index_info(unique_index) AS part) AS columns
                    FROM (
                        SELECT owner.name, list.name AS unique_index
                        FROM sqlite_master AS owner JOIN pragma_table_info(owner.name) AS owned
                        JOIN pragma_index_list(owner.name) AS list
                        WHERE owner.type = 'table' AND owned.name = 'bucket' AND list."unique")
                    """
                ).map { row -> (table: String, columns: String) in (try row.get("owner"), try row.get("columns")) }
            }
            #expect(Set(keys.map(\.table)) == Self.tables)
            for key in keys {
                #expect(key.columns.split(separator: ",").contains("bucket"), "\(key.table): \(key.columns)")
            }
        }
    }

    /// The tables with an account in a key that aren't an account's.
    private static let others = [
        // Unique among the accounts of all buckets.
        "account_email",
        // A family has accounts of several buckets, and one organiser.
        "family_member",
        // The sandbox's settings, with a row for all accounts.
        "notification_mode", "sandbox_answer",
    ]

    @Test("A table with an account in its primary key has the bucket there, unless it isn't an account's")
    func accountsInKeys() async throws {
        try await Engine.sqliteMemory.withDatabase { database in
            try await Schema.migrate(database)
            let keyed = try await database.read { connection in
                try connection.rows(
                    """
                    SELECT owner.name AS owner FROM sqlite_master AS owner JOIN pragma_table_info(owner.name) AS owned
                    WHERE owner.type = 'table' AND owned.name = 'account_id' AND owned.pk > 0
                    """
                ).map { row -> String in try row.get("owner") }
            }
            #expect(keyed.count > 5)
            #expect(Set(keyed).subtracting(Self.tables).isSubset(of: Self.others), "\(keyed)")
        }
    }

    @Test(
        "PostgreSQL can partition every table of accounts by the bucket",
        .enabled(if: Engine.stores.contains(where: \.isPostgreSQL), "there is no PostgreSQL"))
    func partitions() async throws {
        let postgreSQL = Engine.stores.first(where: \.isPostgreSQL)
        try await #require(postgreSQL).withDatabase { database in
            try await Schema.migrate(database)
            try await database.write { connection in
                for table in Self.tables {
                    try connection.run(
                        """
                        CREATE TABLE partitioned_\(table) (LIKE \(table) INCLUDING ALL) PARTITION BY RANGE (bucket)
                        """)
                }
            }
        }
    }

    @Test("Each statement on an account's table names the bucket, unless it can't know an account")
    func statements() throws {
        // Look-ups by the number of a payment, a transaction or a refund and by
        // a device's request, lists of housekeeping, of operators and of
        // sellers, whose apps have customers of all buckets.
        let expected = [
            "Payments/Payment+Persistence.swift": 4, "Purchases/Purchase+Persistence.swift": 2,
            "Purchases/UnfinishedTransaction+Persistence.swift": 1, "Purchases/ListingPurchases.swift": 1,
            "Sandbox/ReadingLedger.swift": 1, "Events/ReadingNewestNumbers.swift": 1,
            "Purchases/LedgerEntry+Persistence.swift": 1, "Leases/Lease+Persistence.swift": 5,
            "Sandbox/SandboxAnswer+Persistence.swift": 3,
            "Contacts/ListingContacts.swift": 1, "Subscriptions/Subscription+Persistence.swift": 2,
            "Metrics/Backlog+Persistence.swift": 1, "Subscriptions/Subscription+Extensions+Persistence.swift": 1,
            "Prices/PriceChange+Persistence.swift": 1, "RefundRequests/RefundRequest+Persistence.swift": 2,
            "Families/SharingWork+Persistence.swift": 2, "Families/ParentNotice+Persistence.swift": 1,
            "Campaigns/CampaignPurchase+Persistence.swift": 1,
            "TeamPurchases/Purchase+Team+Persistence.swift": 5, "Testers/Account+Team+Persistence.swift": 2,
        ]
        var found: [String: Int] = [:]
        for literal in try SQLLiteral.ofStoreDomain() where literal.namesAccountTableOnly {
            found[String(literal.place.prefix { $0 != ":" }), default: 0] += 1
        }
        #expect(found == expected)
    }
}

extension SQLLiteral {
    /// Whether the statement names an account's table and not its bucket.
    fileprivate var namesAccountTableOnly: Bool {
        let words = parts.joined(separator: " ? ").split { $0.isWhitespace || $0 == "(" || $0 == ")" || $0 == "," }
        let tables = zip(words, words.dropFirst()).filter {
            ["FROM", "JOIN", "INTO", "UPDATE"].contains($0.0) && BucketRowTests.tables.contains(String($0.1))
        }
        return !tables.isEmpty && !words.contains { $0.hasSuffix("bucket") }
    }
}
