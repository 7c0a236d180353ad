// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ReceiptHistory {
    /// Reads the history of an account in an app, at the account's time `now`.
    /// The number of statements depends on that of the subscriptions alone.
    static func read(
        _ extent: Extent, of account: AccountIdentifier, bundleIdentifier: BundleIdentifier, at now: StoreTime,
        _ db: StoreTransaction
    ) throws -> ReceiptHistory {
        let states = try Subscription.all(of: account, bundleIdentifier: bundleIdentifier, db)
            .compactMap { subscription in subscription.newestState.map { (subscription.original, $0) } }
        var newestPeriods = try Purchase.find(states.map { $0.1.period.transaction }, of: account, db)
        if extent == .newestPeriods {
            newestPeriods += try Purchase.newestShared(with: account, bundleIdentifier: bundleIdentifier, db)
        }
        let listed = try Purchase.listed(
            of: account, bundleIdentifier: bundleIdentifier, limit: longest + 1, withPeriods: extent == .all, db)
        var history = ReceiptHistory(
            listed, newestPeriods: newestPeriods,
            renewals: states.compactMap { RenewalInfo($0.0, $0.1, at: now) })
        history.renewals += try RenewalInfo.shared(by: history.transactions, at: now, db)
        history.details = try ServedDetails.of(history.transactions, withApps: false, db)
        return history
    }
}

extension RenewalInfo {
    /// The renewals of the subscriptions that other members of the family share with an account, of which its purchases have
    /// periods. Their original transactions are the account's.
    static func shared(
        by purchases: [Purchase], at now: StoreTime, _ db: StoreTransaction
    ) throws -> [RenewalInfo] {
        var seen: Set<OriginalTransactionIdentifier> = []
        let newest = purchases.filter { $0.term != nil && $0.share != nil }
            .filter { seen.insert($0.originalTransactionIdentifier).inserted }
        return try newest.compactMap { purchase in
            guard let share = purchase.share, let source = try Purchase.find(share.transaction, of: share.owner, db),
                let state = try Subscription.find(source.originalTransactionIdentifier, of: share.owner, db)?
                    .newestState
            else { return nil }
            // A member who has left doesn't see the renewals of the others.
            guard purchase.revoked == nil || source.revoked != nil else { return nil }
            return RenewalInfo(purchase.originalTransactionIdentifier, state, at: now)
        }
    }
}

extension Purchase {
    /// The purchases that a receipt of an account and app lists, newest first; without periods only those of other products.
    static func listed(
        of account: AccountIdentifier, bundleIdentifier: BundleIdentifier, limit: Int, withPeriods: Bool = true,
        _ db: StoreTransaction
    ) throws -> [Purchase] {
        try db.rows(
            """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $5 AND is_in_receipt = 1
                \(withPeriods ? "" : "AND expires_at IS NULL")
            ORDER BY purchased_at DESC, transaction_id DESC LIMIT $4
            """, [db.environment.rawValue, account, bundleIdentifier, limit, account.bucket]
        ).map(Purchase.init)
    }

    /// The newest period of each subscription that other members of the family
    /// share with an account.
    static func newestShared(
        with account: AccountIdentifier, bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [Purchase] {
        let periods = try db.rows(
            """
            SELECT \(columns) FROM purchase
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $4 AND is_in_receipt = 1
                AND shared_by IS NOT NULL AND expires_at IS NOT NULL
            ORDER BY purchased_at DESC, transaction_id DESC LIMIT $5
            """, [db.environment.rawValue, account, bundleIdentifier, account.bucket, ReceiptHistory.longest]
        ).map(Purchase.init)
        var seen: Set<OriginalTransactionIdentifier> = []
        return periods.filter { seen.insert($0.originalTransactionIdentifier).inserted }
    }

    /// Purchases of an account, in any order.
    static func find(
        _ identifiers: [TransactionIdentifier], of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> [Purchase] {
        let scope: [any DatabaseValueConvertible] = [db.environment.rawValue, account.bucket]
        return try statement.batches(of: identifiers).flatMap { batch in
            try db.rows(batch.sql, scope + batch.values).map(Purchase.init)
        }
    }

    private static let statement = BatchedStatement(firstPlace: 3) { list in
        """
        SELECT \(columns) FROM purchase
        WHERE environment = $1 AND bucket = $2 AND transaction_id IN (\(list))
        """
    }
}
