// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Receipts of accounts with more purchases than a receipt has room for.
struct LargeReceiptTests {
    @Test("A receipt without room for all lists non-consumables first, then the newest")
    func selection() {
        let entries = (0..<6).map { number in
            ReceiptEntry(
                kind: number == 5 ? .nonConsumable : .consumable, encoded: Data(repeating: UInt8(number), count: 76))
        }

        let selection = ReceiptSelection(of: entries, at: StoreTime(milliseconds: 1000), room: 300)

        #expect(selection.listed.map(\.first) == [5, 0, 1])
        #expect(selection.omitted == 3)
    }

    @Test("Running periods of subscriptions come after the non-consumables, and ended ones with the others")
    func runningPeriods() {
        let ends: [Int64?] = [nil, 999, nil, 1001, nil]
        let entries = ends.enumerated().map { number, end in
            ReceiptEntry(
                kind: number == 4 ? .nonConsumable : end == nil ? .consumable : .autoRenewable,
                expires: end.map(StoreTime.init(milliseconds:)), encoded: Data(repeating: UInt8(number), count: 76))
        }

        let selection = ReceiptSelection(of: entries, at: StoreTime(milliseconds: 1000), room: 300)

        #expect(selection.listed.map(\.first) == [4, 3, 0])
        #expect(selection.omitted == 2)
    }

    @Test("A receipt with room for all lists them in their order")
    func room() {
        let entries = (0..<3).map { ReceiptEntry(kind: .consumable, encoded: Data(repeating: UInt8($0), count: 76)) }

        let selection = ReceiptSelection(of: entries, at: StoreTime(milliseconds: 1000), room: 300)

        #expect(selection.listed.map(\.first) == [0, 1, 2])
        #expect(selection.omitted == 0)
    }

    @Test("An account with 40,000 purchases gets a receipt and goes on buying", arguments: Engine.stores)
    func moreThanFits(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("juice", request: "1", as: anna)
            try await store.context.database.write { connection in
                try connection.run(Self.copies, [40_000])
            }

            let bought = try await phone.buy("apple", request: "2", as: anna)

            let answer = try await phone.receiptAnswer()
            let der = try #require(answer.receipt.flatMap { Data(base64Encoded: $0) })
            let contents = try UnverifiedAppReceipt(parsing: der).contents
            #expect((10_000..<40_000).contains(contents.inAppPurchases.count))
            #expect(contents.inAppPurchases.contains { $0.transactionIdentifier == bought.transactionIdentifier })
        }
    }

    @Test("A receipt that is too large for /verifyReceipt is logged when it is issued", arguments: Engine.stores)
    func logged(engine: Engine) async throws {
        try await engine.withDatabase { database in
            let log = RecordingLogHandler()
            let store = try await TestStore(database, log: log)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("juice", request: "1", as: anna)
            _ = try await phone.receiptAnswer()
            let warning = "a receipt is too large for /verifyReceipt"
            #expect(!log.lines.contains { $0.hasPrefix(warning) })
            try await database.write { connection in
                let length: Int64 =
                    try connection.row("SELECT LENGTH(receipt_attribute) AS n FROM purchase")?.get("n") ?? 0
                // More than the 2,358,528 bytes that have the largest base64
                // text, and less than a receipt has room for.
                try connection.run(Self.copies, [3_000_000 / (length + 24)])
            }

            let answer = try await phone.receiptAnswer()

            let der = try #require(answer.receipt.flatMap { Data(base64Encoded: $0) })
            #expect((2_358_528..<ReceiptSelection.room).contains(der.count))
            let lines = log.lines.filter { $0.hasPrefix(warning) }
            #expect(lines.count == 1)
            #expect(lines.first?.contains("account=\(anna.identifier)") == true)
        }
    }

    /// Copies the first purchase `$1` times, with dates before it.
    private static let copies = """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
        INSERT INTO purchase (environment, transaction_id, original_transaction_id, account_id, bundle_id, product_id,
            kind, quantity, username, purchased_at, original_purchased_at, milliunits, currency, storefront,
            is_in_receipt, receipt_attribute, bucket)
        SELECT environment, 'copy-' || n, 'copy-' || n, account_id, bundle_id, product_id, kind, quantity, username,
            purchased_at - n, original_purchased_at - n, milliunits, currency, storefront, is_in_receipt,
            receipt_attribute, bucket
        FROM purchase, numbers
        """

    @Test("A purchase of an older version, without its encoded form, is in the receipt", arguments: Engine.stores)
    func olderVersion(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            try await store.context.database.write { connection in
                try connection.run("UPDATE purchase SET receipt_attribute = NULL")
            }

            let answer = try await phone.receiptAnswer()

            let der = try #require(answer.receipt.flatMap { Data(base64Encoded: $0) })
            let listed = try UnverifiedAppReceipt(parsing: der).contents.inAppPurchases
            #expect(listed.map(\.transactionIdentifier) == [apple.transactionIdentifier])
        }
    }
}
