// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDatabase

extension Purchase {
    private static let names = [
        "transaction_id", "original_transaction_id", "account_id", "bundle_id", "product_id", "kind", "quantity",
        "username", "purchased_at", "original_purchased_at", "milliunits", "currency", "storefront", "device_id",
        "request_id", "is_in_receipt", "revoked_at", "expires_at", "web_order_id", "group_id", "is_upgraded",
        "offer", "shared_by", "shared_from",
    ]

    /// The columns that ``init(_:)`` reads, for a statement that may read
    /// other tables too.
    static let columns = (names + ["revoked_part"]).map { "purchase.\($0)" }.joined(separator: ", ")

    init(_ row: Row) throws {
        let revoked: Int64? = try row.get("revoked_at")
        self.init(
            transactionIdentifier: try row.get("transaction_id"),
            originalTransactionIdentifier: try row.get("original_transaction_id"), account: try row.get("account_id"),
            bundleIdentifier: try row.get("bundle_id"), productIdentifier: try row.get("product_id"),
            kind: Product.Kind(rawValue: try row.get("kind")), quantity: try row.get("quantity"),
            applicationUsername: try row.get("username"), date: StoreTime(milliseconds: try row.get("purchased_at")),
            originalDate: StoreTime(milliseconds: try row.get("original_purchased_at")),
            price: Money(milliunits: try row.get("milliunits"), currency: try row.get("currency")),
            storefront: try row.get("storefront"), device: try row.get("device_id"),
            requestIdentifier: try row.get("request_id"), isInReceipt: try row.get("is_in_receipt"),
            revoked: revoked.map(StoreTime.init(milliseconds:)))
        revokedPart = try row.get("revoked_part")
        term = try Term(row)
        // The column has the offer of a period, or the name of a code's offer.
        if term == nil { codeOffer = try row.get("offer") }
        share = try Share(row)
    }

    /// A purchase of an account.
    static func find(
        _ identifier: TransactionIdentifier, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Purchase? {
        try db.row(
            "SELECT \(columns) FROM purchase WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
            [db.environment.rawValue, identifier, account.bucket]
        ).map(Purchase.init)
    }

    /// The purchase with an identifier, of any account.
    static func find(_ identifier: TransactionIdentifier, _ db: StoreTransaction) throws -> Purchase? {
        let sql = """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND transaction_id = $2\(identifier.condition("purchase", place: 3))
            """
        return try db.row(sql, [db.environment.rawValue, identifier] + identifier.bucketArguments).map(Purchase.init)
    }

    /// The purchase that a device's request became. It names no bucket: any
    /// account may have confirmed the request.
    static func find(
        request identifier: RequestIdentifier, of device: DeviceIdentifier, _ db: StoreTransaction
    ) throws -> Purchase? {
        try db.row(
            "SELECT \(columns) FROM purchase WHERE environment = $1 AND device_id = $2 AND request_id = $3",
            [db.environment.rawValue, device, identifier]
        ).map(Purchase.init)
    }

    /// The encoded purchases that a receipt of this account and app lists,
    /// newest first.
    static func receiptEntries(
        of account: AccountIdentifier, bundleIdentifier: BundleIdentifier, limit: Int, _ db: StoreTransaction
    ) throws -> [ReceiptEntry] {
        try db.rows(
            """
            SELECT transaction_id, kind, expires_at, receipt_attribute FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $5 AND is_in_receipt = 1
            ORDER BY purchased_at DESC, transaction_id DESC LIMIT $4
            """, [db.environment.rawValue, account, bundleIdentifier, limit, account.bucket]
        ).compactMap { row in
            let kept: Data? = try row.get("receipt_attribute")
            let encoded =
                try kept
                ?? find(try row.get("transaction_id"), of: account, db).map { try InAppPurchase($0).encodedForReceipt }
            let expires: Int64? = try row.get("expires_at")
            return try encoded.map {
                ReceiptEntry(
                    kind: Product.Kind(rawValue: try row.get("kind")),
                    expires: expires.map(StoreTime.init(milliseconds:)), encoded: $0)
            }
        }
    }

    /// The SQL expression of an account's newest event number, by the places
    /// of the arguments. A purchase is saved after the event of its change,
    /// so that the number is larger than that of every earlier commit.
    private static func newestEvent(account: Int, bucket: Int) -> String {
        """
        (SELECT account.event_number FROM account
        WHERE account.environment = $1 AND account.account_id = $\(account) AND account.bucket = $\(bucket))
        """
    }

    /// Saves a new purchase, after the event of it.
    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO purchase (environment, \(Self.names.joined(separator: ", ")), receipt_attribute, bucket,
                revision)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                $23, $24, $25, $26, $27, \(Self.newestEvent(account: 4, bucket: 27)))
            """,
            [
                db.environment.rawValue, transactionIdentifier, originalTransactionIdentifier, account,
                bundleIdentifier,
                productIdentifier, kind.rawValue, quantity, applicationUsername, date.milliseconds,
                originalDate.milliseconds, price.milliunits, price.currency, storefront, device?.rawValue,
                requestIdentifier, isInReceipt, revoked?.milliseconds, term?.expires.milliseconds, term?.webOrder,
                term?.group, term?.isUpgraded ?? false, try term?.offer?.stored ?? codeOffer, share?.owner,
                share?.transaction,
                try InAppPurchase(self).encodedForReceipt, account.bucket,
            ])
    }

    /// The purchases that can be restored to a device, oldest first, after
    /// `last`: the first ones of non-consumables, and all periods of
    /// auto-renewable subscriptions. Refunded purchases, and those that wait
    /// in the device's queue, are left out.
    static func restorable(
        of account: AccountIdentifier, for request: DeviceRequest, after last: Purchase.Position?, limit: Int,
        _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $9 AND is_in_receipt = 1
                AND (kind = $4 AND transaction_id = original_transaction_id OR kind = $10)
                AND revoked_at IS NULL
                AND (purchased_at, transaction_id) > ($5, $6)
                AND NOT EXISTS (
                    SELECT 1 FROM queue_entry JOIN purchase AS waiting
                        ON waiting.environment = queue_entry.environment
                        AND waiting.transaction_id = queue_entry.transaction_id
                        AND waiting.bucket = queue_entry.bucket
                    WHERE queue_entry.environment = $1 AND queue_entry.device_id = $7
                        AND queue_entry.bundle_id = $3 AND queue_entry.bucket = $9
                        AND (waiting.transaction_id = purchase.transaction_id
                            OR purchase.kind = $4 AND waiting.original_transaction_id = purchase.transaction_id))
            ORDER BY purchased_at, transaction_id LIMIT $8
            """,
            [
                db.environment.rawValue, account, request.bundleIdentifier, Product.Kind.nonConsumable.rawValue,
                last?.date.milliseconds ?? Int64.min, last?.transactionIdentifier ?? "", request.device, limit,
                account.bucket, Product.Kind.autoRenewable.rawValue,
            ]
        ).map(Purchase.init)
    }

    /// A first purchase of an account with all later purchases that refer to
    /// it, oldest first.
    static func all(
        of original: OriginalTransactionIdentifier, by account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3
            ORDER BY purchased_at, transaction_id
            """, [db.environment.rawValue, original, account.bucket]
        ).map(Purchase.init)
    }

    /// Saves the date of the refund, in the receipt too, after the event of
    /// it, with the refunded part, and whether the transaction was unfinished.
    func saveRevocation(wasUnfinished: Bool, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE purchase SET revoked_at = $3, receipt_attribute = $4, was_unfinished = $7,
                revoked_part = $8, revision = \(Self.newestEvent(account: 6, bucket: 5))
            WHERE environment = $1 AND transaction_id = $2 AND bucket = $5 AND revoked_at IS NULL
            """,
            [
                db.environment.rawValue, transactionIdentifier, revoked?.milliseconds,
                try InAppPurchase(self).encodedForReceipt, account.bucket, account, wasUnfinished,
                revokedPart,
            ])
    }

    /// Saves the refunded part of a purchase that was revoked before, after the
    /// event of the change.
    func saveRevokedPart(_ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE purchase SET revoked_part = $3, revision = \(Self.newestEvent(account: 5, bucket: 4))
            WHERE environment = $1 AND transaction_id = $2 AND bucket = $4 AND revoked_at IS NOT NULL
            """, [db.environment.rawValue, transactionIdentifier, revokedPart, account.bucket, account])
    }

    /// Saves that the purchase isn't revoked any more, in the receipt too,
    /// after the event of it. One that was unfinished when it was revoked is in
    /// the receipt again.
    ///
    /// - Returns: Whether it was unfinished.
    func removeRevocation(_ db: StoreTransaction) throws -> Bool {
        let row = try db.row(
            """
            UPDATE purchase SET revoked_at = NULL, revoked_part = NULL, receipt_attribute = $3,
                is_in_receipt = CASE WHEN was_unfinished = 1 THEN 1 ELSE is_in_receipt END,
                revision = \(Self.newestEvent(account: 5, bucket: 4))
            WHERE environment = $1 AND transaction_id = $2 AND bucket = $4 AND revoked_at IS NOT NULL
            RETURNING was_unfinished
            """,
            [
                db.environment.rawValue, transactionIdentifier, try InAppPurchase(self).encodedForReceipt,
                account.bucket, account,
            ])
        return try row?.get("was_unfinished") ?? false
    }

    /// Records that an app has finished the purchase, if it was revoked
    /// unfinished: taking the refund back doesn't deliver it again.
    func finishRevoked(_ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE purchase SET was_unfinished = 0
            WHERE environment = $1 AND transaction_id = $2 AND bucket = $3 AND was_unfinished = 1
                AND revoked_at IS NOT NULL
            """, [db.environment.rawValue, transactionIdentifier, account.bucket])
    }

    /// A revoked purchase that had been in the queue of a device: the device
    /// has asked for it, or uses the app with the account; `nil` for any other
    /// one, and for a purchase that every device finishes for itself.
    static func revokedUnfinished(
        _ transaction: TransactionIdentifier, heldBy device: DeviceIdentifier, _ db: StoreTransaction
    ) throws -> Purchase? {
        guard let purchase = try find(transaction, db), purchase.revoked != nil,
            case .leaveAllQueues = FinishDecision.finishing(purchase.kind)
        else { return nil }
        let app = DeviceApp(
            account: purchase.account, bundleIdentifier: purchase.bundleIdentifier, device: device)
        return try purchase.device == device || app.exists(db) ? purchase : nil
    }

    /// Saves the period's end and whether it was upgraded, in the receipt too,
    /// after the event of it, and for the members of the family.
    func saveTerm(_ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE purchase SET expires_at = $3, is_upgraded = $4, receipt_attribute = $5,
                revision = \(Self.newestEvent(account: 7, bucket: 6))
            WHERE environment = $1 AND transaction_id = $2 AND bucket = $6
            """,
            [
                db.environment.rawValue, transactionIdentifier, term?.expires.milliseconds, term?.isUpgraded ?? false,
                try InAppPurchase(self).encodedForReceipt, account.bucket, account,
            ])
        try SharingWork.note(self, db)
    }

    func leaveReceipt(_ db: StoreTransaction) throws {
        try db.run(
            "UPDATE purchase SET is_in_receipt = 0 WHERE environment = $1 AND transaction_id = $2 AND bucket = $3",
            [db.environment.rawValue, transactionIdentifier, account.bucket])
    }
}

extension Purchase.Share {
    /// `nil` in the row of a purchase that its account has made.
    fileprivate init?(_ row: Row) throws {
        let owner: AccountIdentifier? = try row.get("shared_by")
        guard let owner else { return nil }
        self.init(owner: owner, transaction: try row.get("shared_from"))
    }
}

extension Purchase.Term {
    /// `nil` in a row without a period.
    fileprivate init?(_ row: Row) throws {
        let expires: Int64? = try row.get("expires_at")
        guard let expires else { return nil }
        let offer: String? = try row.get("offer")
        self.init(
            group: try row.get("group_id"), expires: StoreTime(milliseconds: expires),
            webOrder: try row.get("web_order_id"), isUpgraded: try row.get("is_upgraded"),
            offer: try offer.map(AppliedOffer.init(stored:)))
    }
}
