// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension UnfinishedTransaction {
    static func insert(
        _ purchase: Purchase, for device: DeviceIdentifier, formerHolders: FormerHolders = FormerHolders(),
        requestIdentifier: RequestIdentifier?, eventNumber: Int64, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            INSERT INTO queue_entry (environment, device_id, transaction_id, account_id, bundle_id, request_id,
                event_number, bucket, former_holders)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                db.environment.rawValue, device, purchase.transactionIdentifier, purchase.account,
                purchase.bundleIdentifier, requestIdentifier, eventNumber, purchase.account.bucket,
                try formerHolders.storedText,
            ])
    }

    /// The columns that ``init(_:)`` reads, of a statement with
    /// `HostedContent.Summary.join`.
    static let columns = """
        queue_entry.request_id AS delivered_request_id, queue_entry.event_number AS delivered_by,
        \(Purchase.columns), \(HostedContent.Summary.columns)
        """

    init(_ row: Row) throws {
        self.init(
            purchase: try Purchase(row), requestIdentifier: try row.get("delivered_request_id"),
            eventNumber: try row.get("delivered_by"), content: try HostedContent.Summary(row))
    }

    /// The unfinished transactions on a device for one app and the account
    /// that is signed in, in order of their events, after one event and until
    /// another.
    ///
    /// An event adds at most one transaction to a device's queue, so that
    /// its number is a place in the queue.
    static func unfinished(
        on device: DeviceIdentifier, bundleIdentifier: BundleIdentifier, account: AccountIdentifier,
        after number: Int64, until last: Int64?, limit: Int, _ db: StoreTransaction
    ) throws -> [UnfinishedTransaction] {
        try db.rows(
            """
            SELECT \(columns)
            FROM queue_entry JOIN purchase
                ON purchase.environment = queue_entry.environment
                AND purchase.transaction_id = queue_entry.transaction_id AND purchase.bucket = queue_entry.bucket
            \(HostedContent.Summary.join)
            WHERE queue_entry.environment = $1 AND queue_entry.device_id = $2 AND queue_entry.bundle_id = $3
                AND queue_entry.account_id = $4 AND queue_entry.bucket = $7
                AND queue_entry.event_number > $5 AND queue_entry.event_number <= $8
            ORDER BY queue_entry.event_number LIMIT $6
            """,
            [
                db.environment.rawValue, device, bundleIdentifier, account, number, limit, account.bucket,
                last ?? .max,
            ]
        ).map(UnfinishedTransaction.init)
    }

    /// A transaction in the queue of a device. The account is needed for the
    /// bucket of an older identifier, and may be unknown.
    static func find(
        _ transaction: TransactionIdentifier, on device: DeviceIdentifier, of account: AccountIdentifier? = nil,
        _ db: StoreTransaction
    ) throws -> UnfinishedTransaction? {
        let bucket = account?.bucket ?? transaction.bucket
        let sql = """
            SELECT \(columns)
            FROM queue_entry JOIN purchase
                ON purchase.environment = queue_entry.environment
                AND purchase.transaction_id = queue_entry.transaction_id AND purchase.bucket = queue_entry.bucket
            \(HostedContent.Summary.join)
            WHERE queue_entry.environment = $1 AND queue_entry.device_id = $2 AND queue_entry.transaction_id = $3
                \(bucket == nil ? "" : "AND queue_entry.bucket = $4")
            """
        let arguments: [any DatabaseValueConvertible] = [db.environment.rawValue, device, transaction]
        return try db.row(sql, arguments + (bucket.map { [$0] } ?? [])).map(UnfinishedTransaction.init)
    }

    /// An unfinished consumable or non-renewing subscription in the queue of
    /// another device; `nil` unless the device asked for it or was one of its
    /// holders.
    static func consumable(
        _ transaction: TransactionIdentifier, handedOverBy device: DeviceIdentifier, _ db: StoreTransaction
    ) throws -> Purchase? {
        let entry = try db.row(
            """
            SELECT former_holders FROM queue_entry
            WHERE environment = $1 AND transaction_id = $2\(transaction.condition("queue_entry", place: 3)) LIMIT 1
            """, [db.environment.rawValue, transaction] + transaction.bucketArguments)
        guard let entry, let purchase = try Purchase.find(transaction, db), purchase.kind.hasOneHolder
        else { return nil }
        let hadIt = try purchase.device == device || FormerHolders(entry).devices.contains(device)
        return hadIt ? purchase : nil
    }

    /// The transactions in a device's queue with their buckets, of any app and
    /// account, at most `limit`.
    static func entries(on device: DeviceIdentifier, limit: Int, _ db: StoreTransaction) throws
        -> [(transaction: TransactionIdentifier, bucket: Int)]
    {
        try db.rows(
            """
            SELECT transaction_id, bucket FROM queue_entry WHERE environment = $1 AND device_id = $2
            ORDER BY transaction_id LIMIT $3
            """, [db.environment.rawValue, device, limit]
        ).map { (try $0.get("transaction_id"), try $0.get("bucket")) }
    }

    /// Removes a purchase from the queue of one device.
    static func remove(_ purchase: Purchase, from device: DeviceIdentifier, _ db: StoreTransaction) throws {
        try remove(purchase.transactionIdentifier, in: purchase.account.bucket, from: device, db)
    }

    /// Removes a transaction of an account in a bucket from the queue of one
    /// device.
    static func remove(
        _ transaction: TransactionIdentifier, in bucket: Int, from device: DeviceIdentifier, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            DELETE FROM queue_entry
            WHERE environment = $1 AND device_id = $2 AND transaction_id = $3 AND bucket = $4
            """, [db.environment.rawValue, device, transaction, bucket])
    }

    /// Removes a purchase from every queue, and returns whether any had it.
    static func removeEverywhere(_ purchase: Purchase, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            "DELETE FROM queue_entry WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
            [db.environment.rawValue, purchase.transactionIdentifier, purchase.account.bucket]) > 0
    }
}
