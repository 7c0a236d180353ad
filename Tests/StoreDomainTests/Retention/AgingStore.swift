// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A store with rows of every kind that has a time to live, all of the same
/// moment.
struct AgingStore {
    let store: TestStore
    let anna: Account
    /// Has bought and finished an apple, has an unfinished juice and a
    /// refunded pear, and has restored the apple.
    let phone: TestDevice
    let apple: TransactionInfo
    let pear: TransactionInfo

    init(_ store: TestStore) async throws {
        self.store = store
        anna = try await store.addAccount()
        phone = try await store.addDevice()
        apple = try await phone.buy("apple", request: "apple", as: anna)
        try await phone.finish(apple.transactionIdentifier)
        if let payment = try await store.payment("captured") {
            try await store.service.receive(ProviderEvent(identifier: "late", payment: payment, kind: .authorised))
        }
        try await phone.buy("juice", request: "juice", as: anna)
        pear = try await phone.buy("pear", request: "pear", as: anna)
        _ = try await store.service.refund(TransactionIdentifier(pear.transactionIdentifier))
        _ = try await phone.restore(request: "restore")
        _ = try await store.addDevice(9)
        await #expect(throws: DomainError.self) {
            try await store.service.signIn(email: "anna@example.com", password: "wrong")
        }
        _ = try await store.service.openSheetSession(for: anna)
        _ = try await store.service.reportNode("node")
        _ = try await phone.exchange([("level", "1", 1)])
        _ = try await phone.exchange([("level", nil, 2)])
    }

    /// The tables of the books, with a condition of their rows.
    static let books = [
        "payment": "1 = 1", "refund": "1 = 1", "ledger_entry": "1 = 1", "purchase": "1 = 1", "reservation": "1 = 1",
        "account": "1 = 1",
        "event": "kind = 'revoked'",
    ]

    /// The number of rows of each table of the books.
    func countBooks() async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for (table, condition) in Self.books {
            counts[table] = try await store.count(table, where: condition)
        }
        return counts
    }
}

extension TestStore {
    /// Deletes the old rows, and returns the numbers of deleted rows by kind.
    @discardableResult
    func clean() async throws -> [String: Int] {
        try await clean(context).deleted
    }

    /// The numbers of deleted rows by kind, and the kinds that failed.
    func clean(_ context: StoreContext) async throws -> (deleted: [String: Int], failed: Set<String>) {
        let (reports, continuation) = AsyncStream.makeStream(of: DeletingOldRows.Report.self)
        await DeletingOldRows(context)() { continuation.yield($0) }
        continuation.finish()
        var deleted: [String: Int] = [:]
        var failed: Set<String> = []
        for await report in reports {
            switch report {
            case .deleted(let count, let kind): deleted[kind] = count
            case .failed(let kind, _): failed.insert(kind)
            }
        }
        return (deleted, failed)
    }

    /// Runs a statement without parameters.
    func run(_ sql: String) async throws {
        try await context.database.write { _ = try $0.run(sql) }
    }

    /// Adds events of an account, made now.
    func addEvents(_ count: Int, of account: Account) async throws {
        try await context.database.write { [now = clock.now] connection in
            try connection.run(
                """
                WITH RECURSIVE series (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM series WHERE i < $1)
                INSERT INTO event (environment, account_id, event_number, kind, bundle_id, transaction_id, at,
                    created_at)
                SELECT 'Sandbox', CAST($2 AS TEXT), 1000 + i, 'key-values', 'com.example.fruit', '',
                    CAST($3 AS BIGINT), CAST($3 AS BIGINT)
                FROM series
                """, [count, account.identifier, now.milliseconds])
        }
    }
}

extension TestClock {
    func advance(days: Int) { advance(by: .seconds(days * 24 * 60 * 60)) }
}
