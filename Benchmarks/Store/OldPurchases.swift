// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDatabase
import StoreDomain

/// Adds the rows of earlier purchases to an account, as the store has written
/// them.
struct OldPurchases {
    let store: BenchmarkStore
    let account: String
    let device: String

    private static let batch = 1000

    /// Adds a number of purchases, of which the first ones are in the receipt:
    /// a finished consumable leaves it.
    func add(_ count: Int, inReceipt: Int, from first: Int) async throws {
        let database = store.context.database
        for start in stride(from: 0, to: count, by: Self.batch) {
            try await database.write { connection in
                for number in start..<min(start + Self.batch, count) {
                    try insert(first + number, isInReceipt: number < inReceipt, connection)
                }
            }
        }
        try await database.write { connection in
            for sql in Self.others { try connection.run(sql, [account]) }
            // The later events of the account have larger numbers.
            try connection.run("UPDATE account SET event_number = 2000000 WHERE account_id = $1", [account])
        }
    }

    private func insert(_ number: Int, isInReceipt: Bool, _ connection: any Connection) throws {
        let transaction = String(1_000_000_000_000_000 + number)
        let date = Int64(1_700_000_000_000) + Int64(number)
        let attribute = try InAppPurchase(
            productIdentifier: BenchmarkStore.product, transactionIdentifier: transaction,
            purchaseDate: Date(timeIntervalSince1970: Double(date) / 1000), productType: .consumable
        ).encodedForReceipt
        try connection.run(
            """
            INSERT INTO purchase (environment, transaction_id, original_transaction_id, account_id, bundle_id,
                product_id, kind, quantity, purchased_at, original_purchased_at, milliunits, currency,
                storefront, device_id, request_id, is_in_receipt, receipt_attribute, bucket)
            VALUES ('Sandbox', $1, $1, $2, $3, $4, 'Consumable', 1, $5, $5, 490, 'USD', 'USA', $6, $7, $8, $9, $10)
            """,
            [
                transaction, account, BenchmarkStore.app, BenchmarkStore.product, date, device,
                "old-\(transaction)", isInReceipt, attribute, AccountIdentifier(account).bucket,
            ])
    }

    /// The rows that a purchase leaves in other tables.
    private static let others = [
        """
        INSERT INTO request (environment, device_id, request_id, kind, bundle_id, product_id, quantity, status,
            account_id, transaction_id, event_number, created_at, changed_at)
        SELECT environment, device_id, request_id, 'payment', bundle_id, product_id, quantity, 'done', account_id,
            transaction_id, 1, purchased_at, purchased_at
        FROM purchase WHERE account_id = $1 AND request_id LIKE 'old-%'
        """,
        """
        INSERT INTO payment (environment, payment_number, device_id, request_id, account_id, payer_id, milliunits,
            currency, status, created_at, bucket, payer_bucket)
        SELECT environment, 'p' || transaction_id, device_id, request_id, account_id, account_id, milliunits,
            currency, 'captured', purchased_at, bucket, bucket
        FROM purchase WHERE account_id = $1 AND request_id LIKE 'old-%'
        """,
        """
        INSERT INTO ledger_entry (environment, entry_id, kind, account_id, transaction_id, payment_number, milliunits,
            currency, at, bucket)
        SELECT environment, 'p' || transaction_id, 'charge', account_id, transaction_id, 'p' || transaction_id,
            milliunits, currency, purchased_at, bucket
        FROM purchase WHERE account_id = $1 AND request_id LIKE 'old-%'
        """,
        """
        INSERT INTO event (environment, account_id, event_number, kind, bundle_id, transaction_id, created_at, bucket)
        SELECT environment, account_id, 1000000 + row_number() OVER (ORDER BY transaction_id), 'transaction',
            bundle_id, transaction_id, purchased_at, bucket
        FROM purchase WHERE account_id = $1 AND request_id LIKE 'old-%'
        """,
    ]
}
