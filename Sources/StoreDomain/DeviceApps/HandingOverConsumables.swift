// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Gives an unfinished consumable to another device of its account when its
/// holder has signed out of the account, or wasn't seen for a day.
package struct HandingOverConsumables: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// An unfinished consumable whose holder is absent.
    private struct Left: Sendable {
        var transaction: TransactionIdentifier
        var account: AccountIdentifier
        var bundleIdentifier: BundleIdentifier
        var holder: DeviceIdentifier
    }

    private static let batch = 100

    /// Hands over every consumable that another device can take.
    ///
    /// - Returns: The accounts whose devices have to be notified.
    /// - Throws: `DatabaseError`.
    package func callAsFunction() async throws -> Set<AccountIdentifier> {
        var accounts: Set<AccountIdentifier> = []
        var last: TransactionIdentifier = ""
        while true {
            let found = try await read { [last] db in try Self.left(after: last, db) }
            for left in found {
                let isHandedOver = try await write(for: left.account) { db in try Self.handOver(left, db) }
                if isHandedOver { accounts.insert(left.account) }
            }
            guard found.count == Self.batch, let final = found.last else { return accounts }
            last = final.transaction
        }
    }

    private static func left(after last: TransactionIdentifier, _ db: StoreTransaction) throws -> [Left] {
        try db.rows(
            """
            SELECT queue_entry.transaction_id, queue_entry.account_id, queue_entry.bundle_id, queue_entry.device_id
            FROM queue_entry JOIN purchase
                ON purchase.environment = queue_entry.environment
                AND purchase.transaction_id = queue_entry.transaction_id
            WHERE queue_entry.environment = $1 AND queue_entry.transaction_id > $2 AND purchase.kind = $3
                AND NOT EXISTS (
                    SELECT 1 FROM device_app JOIN device
                        ON device.environment = device_app.environment AND device.device_id = device_app.device_id
                    WHERE device_app.environment = $1 AND device_app.account_id = queue_entry.account_id
                        AND device_app.bundle_id = queue_entry.bundle_id
                        AND device_app.device_id = queue_entry.device_id
                        AND device.account_id = queue_entry.account_id AND device_app.last_seen_at > $4)
            ORDER BY queue_entry.transaction_id LIMIT $5
            """,
            [
                db.environment.rawValue, last, Product.Kind.consumable.rawValue,
                (db.now - DeviceApp.absence).milliseconds, batch,
            ]
        ).map {
            Left(
                transaction: try $0.get("transaction_id"), account: try $0.get("account_id"),
                bundleIdentifier: try $0.get("bundle_id"), holder: try $0.get("device_id"))
        }
    }

    /// Moves the entry to the device that was used last; `false` when there is
    /// no other device, or the transaction was finished meanwhile.
    private static func handOver(_ left: Left, _ db: StoreTransaction) throws -> Bool {
        guard let entry = try UnfinishedTransaction.find(left.transaction, on: left.holder, db),
            let heir = try DeviceApp.users(of: left.bundleIdentifier, account: left.account, db)
                .first(where: { $0 != left.holder })
        else { return false }
        try UnfinishedTransaction.remove(left.transaction, from: left.holder, db)
        let event = try AccountEvent.append(
            .transaction, account: left.account, bundleIdentifier: left.bundleIdentifier,
            transactionIdentifier: left.transaction, db)
        try UnfinishedTransaction.insert(
            entry.purchase, for: heir, requestIdentifier: nil, eventNumber: event.number, db)
        return true
    }
}
