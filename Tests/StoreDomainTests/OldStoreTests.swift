// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A store's file that commit 4e37f59 has written, opened by this version.
struct OldStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try OldFiles.makeDatabase("store.sql", at: path)
    }

    private var path: String { folder.path("store.sqlite") }

    private func open() async throws -> TestStore {
        try await TestStore(try SQLiteDatabase(.file(path)), clock: TestClock(now: OldFiles.later))
    }

    /// Sends a message of the phone with its old secret.
    private func call<Call: StoreCall>(_ call: Call, of store: TestStore) async throws -> Call.Answer {
        try await LocalStoreConnection(store.service).call(call, as: try OldFiles.credentials())
    }

    private func queue(of store: TestStore) async throws -> QueueSnapshot {
        try await call(QueueCall(bundleIdentifier: OldFiles.bundleIdentifier), of: store)
    }

    private static func product(_ name: String) -> String { "\(OldFiles.bundleIdentifier).\(name)" }

    /// The columns of each table that has rows, and the rows as the statements
    /// of a dump; with `known`, only these tables and columns.
    private func rows(
        of database: any Database, columns known: [String: [String]]? = nil
    ) async throws -> (columns: [String: [String]], statements: Set<String>) {
        try await database.read { connection in
            var columns: [String: [String]] = [:]
            var statements: Set<String> = []
            let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
                .map { row -> String in try row.get("name") }
            for table in tables where known == nil || known?[table] != nil {
                let names = try connection.rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
                    .map { row -> String in try row.get("name") }
                let values = (known?[table] ?? names).map { "quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
                for row in try connection.rows("SELECT \(values) AS line FROM \(table)") {
                    columns[table] = names
                    let line: String = try row.get("line")
                    statements.insert("INSERT INTO \(table) VALUES (\(line))")
                }
            }
            return (columns, statements)
        }
    }

    @Test("Each account has an app transaction of each app that it has bought in or used")
    func appTransactions() async throws {
        let store = try await open()
        let apps = try await store.context.database.read { connection in
            try connection.rows(
                """
                SELECT bundle_id, bucket, app_transaction_id FROM app_transaction
                WHERE EXISTS (SELECT 1 FROM purchase WHERE purchase.account_id = app_transaction.account_id)
                """
            ).map { row -> (number: TransactionIdentifier, bucket: Int) in
                (try row.get("app_transaction_id"), try row.get("bucket"))
            }
        }
        #expect(!apps.isEmpty && apps.allSatisfy { $0.number.bucket == $0.bucket && $0.number.rawValue.hasPrefix("3") })
        #expect(
            try await store.count(
                "purchase",
                where: """
                    NOT EXISTS (SELECT 1 FROM app_transaction
                        WHERE app_transaction.account_id = purchase.account_id
                            AND app_transaction.bundle_id = purchase.bundle_id)
                    """) == 0)
    }

    @Test("Every row of the old file is in the migrated one, with its values")
    func rows() async throws {
        let written = Set(try OldFiles.statements(of: "store.sql").filter { $0.hasPrefix("INSERT") })
        let old = try SQLiteDatabase(.file(path))
        let before = try await rows(of: old)
        try old.close()
        #expect(before.statements == written && !written.isEmpty)

        let store = try await open()

        let after = try await rows(of: store.context.database, columns: before.columns)
        #expect(Set(after.columns.keys) == Set(before.columns.keys))
        #expect(after.statements.isSuperset(of: written), "\(written.subtracting(after.statements))")
    }

    @Test("The ledger and the payments are the same")
    func ledger() async throws {
        let store = try await open()

        #expect(try await store.ledger() == [990, 990, 290, 290, 0, -990])
        #expect(try await store.count("payment", where: "status = 'captured' AND storefront = 'USA'") == 3)
        #expect(try await store.count("payment", where: "status = 'refunded' AND storefront = 'USA'") == 1)
        try await RecoveringPayments(store.context)(begunUntil: store.clock.now)
        #expect(try await store.ledger() == [990, 990, 290, 290, 0, -990])
    }

    @Test("The phone is signed in by its old secret, and the customer by the old password")
    func signIn() async throws {
        let store = try await open()

        let account = try await store.service.signIn(email: OldFiles.email, password: OldFiles.password)
        #expect(try await queue(of: store).position?.account == account.identifier.rawValue)

        let credentials = try OldFiles.credentials()
        let stranger = DeviceCredentials(
            identifier: credentials.identifier, secret: String(credentials.secret.reversed()))
        let refusal = await #expect(throws: StoreFailure.self) {
            try await LocalStoreConnection(store.service).call(
                QueueCall(bundleIdentifier: OldFiles.bundleIdentifier), as: stranger)
        }
        #expect(refusal?.code == .unknownDevice)
    }

    @Test("The unfinished consumable is in the phone's queue until the phone finishes it")
    func unfinished() async throws {
        let store = try await open()
        let transactions = try await queue(of: store).transactions
        #expect(transactions.map(\.productIdentifier) == [Self.product("Seeds")])

        let seeds = try #require(transactions.first)
        _ = try await call(
            FinishCall(
                bundleIdentifier: OldFiles.bundleIdentifier, transactionIdentifier: seeds.transactionIdentifier),
            of: store)

        #expect(try await queue(of: store).transactions.isEmpty)
        #expect(try await receipt(of: store).map(\.productIdentifier) == [Self.product("Apple")] + pears)
    }

    private var pears: [String] { [Self.product("Pear"), Self.product("Pear")] }

    /// The purchases of the phone's receipt, by product.
    private func receipt(of store: TestStore) async throws -> [InAppPurchase] {
        let answer = try await call(
            ReceiptCall(
                requestIdentifier: "receipt", bundleIdentifier: OldFiles.bundleIdentifier, applicationVersion: "1.0",
                mayAskToSignIn: false),
            of: store)
        let verdict = try TestStore.authority.get().verifier.verify(
            try #require(Data(base64Encoded: answer.receipt ?? "")),
            expecting: .init(
                bundleIdentifier: OldFiles.bundleIdentifier,
                deviceIdentifier: Data(hexadecimal: try OldFiles.credentials().identifier)))
        guard case .verified(let receipt) = verdict else {
            throw StoreFailure(.internalError, "\(verdict)")
        }
        return receipt.contents.inAppPurchases.sorted { $0.productIdentifier < $1.productIdentifier }
    }

    @Test("The receipt has the purchases, with the date of the refund")
    func receipt() async throws {
        let purchases = try await receipt(of: try await open())

        #expect(purchases.map(\.productIdentifier) == [Self.product("Apple")] + pears + [Self.product("Seeds")])
        #expect(purchases.map { $0.cancellationDate != nil } == [false, true, true, false])
    }

    @Test("The request that waits for a parent can be approved, and reaches the phone")
    func pendingRequest() async throws {
        let store = try await open()
        let request = try #require(try await store.service.undecided().first)
        #expect(request.productIdentifier?.rawValue == Self.product("Orange"))

        try await store.service.approve(try await store.onlyUndecided())

        let bought = try await queue(of: store).transactions
        #expect(Set(bought.map(\.productIdentifier)) == [Self.product("Orange"), Self.product("Seeds")])
        #expect(bought.contains { $0.requestIdentifier == request.identifier.rawValue })
        #expect(try await store.ledger() == [2990, 990, 990, 290, 290, 0, -990])
    }

    @Test("The values of the key-value store reach another device")
    func keyValues() async throws {
        let store = try await open()

        let answer = try await call(
            KeyValuesCall(bundleIdentifier: OldFiles.bundleIdentifier, writes: [], position: nil), of: store)

        #expect(answer.values == [KeyValueInfo(key: "theme", value: Data("dark".utf8).base64EncodedString())])
    }

    @Test("The one event of the refund revokes the whole chain on a device that was away")
    func revocation() async throws {
        let store = try await open()
        let before = try OldFiles.tabletQueue()
        let tablet = TestDevice(number: 2, store: store)

        let now = try await tablet.call(
            QueueCall(bundleIdentifier: OldFiles.bundleIdentifier, position: before.position))

        let revoked = try #require(now.revoked)
        #expect(now.transactions.isEmpty && revoked.map(\.isEntitlement) == [true])
        #expect(before.transactions.map(\.productIdentifier) == [Self.product("Pear")])
        #expect(before.transactions.map(revoked.revokes) == [true])
        // The tablet's pear isn't the purchase that the event names.
        #expect(before.transactions.first.map { $0.transactionIdentifier != $0.originalTransactionIdentifier } == true)
    }
}
