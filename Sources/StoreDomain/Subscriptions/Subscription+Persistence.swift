// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Subscription {
    /// The columns that ``init(_:)`` reads.
    private static let columns = """
        subscription.original_transaction_id, subscription.account_id, subscription.bundle_id, subscription.group_id,
        subscription.payment_number, subscription.period_number, subscription.event_count, subscription.is_shared,
        subscription.payer_id
        """

    private init(_ row: Row, _ db: StoreTransaction) throws {
        self.init(
            original: try row.get("original_transaction_id"), account: try row.get("account_id"),
            bundleIdentifier: try row.get("bundle_id"), group: try row.get("group_id"),
            payment: try row.get("payment_number"))
        count = try row.get("event_count")
        isShared = try row.get("is_shared")
        payer = try row.get("payer_id")
        let first: Int64 = try row.get("period_number")
        events = try Self.events(of: original, account, from: first, db)
        saved = events.count
    }

    private static func events(
        of original: OriginalTransactionIdentifier, _ account: AccountIdentifier, from first: Int64,
        _ db: StoreTransaction
    ) throws -> [SubscriptionEvent] {
        try db.rows(
            """
            SELECT kind, at, details FROM subscription_event
            WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3 AND number >= $4
            ORDER BY number
            """, [db.environment.rawValue, original, account.bucket, first]
        ).map(SubscriptionEvent.init)
    }

    /// An account's subscription of a group, with the events of its newest
    /// period.
    static func find(
        group: SubscriptionGroupIdentifier, of account: AccountIdentifier, bundleIdentifier: BundleIdentifier,
        _ db: StoreTransaction
    ) throws -> Subscription? {
        try db.row(
            """
            SELECT \(columns) FROM subscription
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND group_id = $4 AND bucket = $5
            """, [db.environment.rawValue, account, bundleIdentifier, group, account.bucket]
        ).map { try Subscription($0, db) }
    }

    /// An account's subscription by its first transaction, with the events of
    /// its newest period.
    static func find(
        _ original: OriginalTransactionIdentifier, of account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Subscription? {
        try db.row(
            """
            SELECT \(columns) FROM subscription
            WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3 AND account_id = $4
            """, [db.environment.rawValue, original, account.bucket, account]
        ).map { try Subscription($0, db) }
    }

    /// The subscriptions of an account, of one app or of all, with the events
    /// of their newest periods.
    static func all(
        of account: AccountIdentifier, bundleIdentifier: BundleIdentifier? = nil, _ db: StoreTransaction
    ) throws -> [Subscription] {
        try db.rows(
            """
            SELECT \(columns) FROM subscription
            WHERE environment = $1 AND account_id = $2 AND bucket = $3 \(bundleIdentifier == nil ? "" : "AND bundle_id = $4")
            ORDER BY bundle_id, group_id
            """,
            [db.environment.rawValue, account, account.bucket] + (bundleIdentifier.map { [$0] } ?? [])
        ).map { try Subscription($0, db) }
    }

    /// Whether an account has, or has had, a subscription in an app.
    static func exists(
        of account: AccountIdentifier, in bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM subscription
            WHERE environment = $1 AND account_id = $2 AND bundle_id = $3 AND bucket = $4 AND event_count > 0 LIMIT 1
            """, [db.environment.rawValue, account, bundleIdentifier, account.bucket]) != nil
    }

    /// The newest events that a history has. A year of monthly periods, with a failed charge in each, has some fifty.
    static let longestHistory: Int64 = 2000

    /// The history, also of the periods before the newest, with the newest ``longestHistory`` events.
    package func history(_ db: StoreTransaction) throws -> [SubscriptionEvent] {
        try Self.events(of: original, account, from: max(0, count - Self.longestHistory) + 1, db)
    }

    /// Saves a new subscription, before its first purchase is made.
    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO subscription (environment, original_transaction_id, bucket, account_id, bundle_id, group_id,
                payment_number, period_number, event_count)
            VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0)
            """,
            [
                db.environment.rawValue, original, account.bucket, account, bundleIdentifier, group, payment,
            ])
    }

    /// Saves the new events, the payment, the payer and the moment of the next
    /// step, whose wall time `clock` gives.
    mutating func save(_ clock: AccountClock, _ db: StoreTransaction) throws {
        let (first, known) = (saved, count)
        for event in events[saved...] {
            count += 1
            if event.period != nil { periodNumber = count }
            try db.run(
                """
                INSERT INTO subscription_event (environment, original_transaction_id, number, bucket, kind, at, details)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                """,
                [
                    db.environment.rawValue, original, count, account.bucket, event.kind.rawValue,
                    event.at.milliseconds, try event.details,
                ])
        }
        try noteForDevices(events[saved...], db)
        saved = events.count
        let due = nextDue
        try db.run(
            """
            UPDATE subscription SET payment_number = $4, event_count = $5, due_at = $6, due_store_at = $7,
                period_number = COALESCE($8, period_number), payer_id = $9, leased_until = 0
            WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3
            """,
            [
                db.environment.rawValue, original, account.bucket, payment, count,
                due.map { clock.wallTime(of: $0.at).milliseconds }, due?.at.milliseconds, periodNumber, payer,
            ])
        for (kind, end) in NotificationKind.caused(by: events, from: first) {
            let number = known + Int64(end - first)
            try NotificationCause(kind, of: self, after: events[..<end], number: number)?.insert(db)
        }
    }

    /// Saves an event of the account for changes that come without a
    /// transaction, so that its devices fetch the signed renewal again.
    private func noteForDevices(_ changes: ArraySlice<SubscriptionEvent>, _ db: StoreTransaction) throws {
        let kind: AccountEvent.Kind? =
            if changes.contains(where: \.changesPriceIncrease) {
                .priceIncrease
            } else if changes.contains(where: \.changesRenewal), !changes.contains(where: { $0.period != nil }) {
                .renewal
            } else {
                nil
            }
        guard let kind else { return }
        _ = try AccountEvent.append(
            kind, account: account, bundleIdentifier: bundleIdentifier,
            transactionIdentifier: TransactionIdentifier(original), changesReceipt: false, db)
    }

    /// Saves whether the subscriber shares a subscription.
    ///
    /// - Returns: Whether that is a change.
    static func setShared(
        _ isShared: Bool, _ original: OriginalTransactionIdentifier, of account: AccountIdentifier,
        _ db: StoreTransaction
    ) throws -> Bool {
        try db.run(
            """
            UPDATE subscription SET is_shared = $4
            WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3 AND is_shared <> $4
            """, [db.environment.rawValue, original, account.bucket, isShared]) == 1
    }

    /// Deletes a subscription whose first payment led to no purchase.
    func delete(_ db: StoreTransaction) throws {
        try db.run(
            """
            DELETE FROM subscription
            WHERE environment = $1 AND original_transaction_id = $2 AND bucket = $3 AND event_count = 0
            """, [db.environment.rawValue, original, account.bucket])
    }

    /// A subscription whose next step is due, with its place in the order of
    /// such steps.
    struct Due: Hashable, Sendable {
        var original: OriginalTransactionIdentifier
        var account: AccountIdentifier
        var at: WallTime
    }

    /// The subscriptions whose next step is due, in order of the step's wall
    /// time, after `last`, at most a hundred. Those whose lease hasn't run out
    /// are left out.
    static func due(after last: Due?, _ db: StoreTransaction) throws -> [Due] {
        try db.rows(
            """
            SELECT original_transaction_id, account_id, due_at FROM subscription
            WHERE environment = $1 AND due_at IS NOT NULL AND due_at <= $2 AND leased_until <= wall_now($2)
                AND (due_at, original_transaction_id) > ($3, $4)
            ORDER BY due_at, original_transaction_id LIMIT 100
            """,
            [
                db.environment.rawValue, db.now.milliseconds, last?.at.milliseconds ?? .min,
                last?.original ?? "",
            ]
        ).map {
            Due(
                original: try $0.get("original_transaction_id"), account: try $0.get("account_id"),
                at: WallTime(milliseconds: try $0.get("due_at")))
        }
    }

    /// How many subscriptions have a step that is due, and when the first of
    /// these steps was.
    static func backlog(_ db: StoreTransaction) throws -> Backlog {
        try Backlog(
            db.row(
                """
                SELECT count(*) AS n, min(due_at) AS oldest FROM subscription
                WHERE environment = $1 AND due_at IS NOT NULL AND due_at <= $2
                """, [db.environment.rawValue, db.now.milliseconds]))
    }

    /// The account's subscription whose step is due first; `nil` when none is,
    /// and while a payment for any of them is being made.
    static func firstDue(of account: AccountIdentifier, _ db: StoreTransaction) throws -> Subscription? {
        let isPaying = try db.row(
            """
            SELECT 1 AS one FROM subscription JOIN payment
                ON payment.environment = subscription.environment
                AND payment.payment_number = subscription.payment_number AND payment.bucket = subscription.bucket
            WHERE subscription.environment = $1 AND subscription.account_id = $2 AND subscription.bucket = $3
                AND payment.status = 'reserved'
            """, [db.environment.rawValue, account, account.bucket])
        guard isPaying == nil else { return nil }
        return try db.row(
            """
            SELECT \(columns) FROM subscription
            WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND due_at <= $4
            ORDER BY due_store_at, original_transaction_id LIMIT 1
            """, [db.environment.rawValue, account, account.bucket, db.now.milliseconds]
        ).map { try Subscription($0, db) }
    }

    /// The moment of the first of the next steps of an account's
    /// subscriptions.
    static func firstMoment(of account: AccountIdentifier, _ db: StoreTransaction) throws -> StoreTime? {
        let row = try db.row(
            """
            SELECT min(due_store_at) AS next FROM subscription
            WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND due_at IS NOT NULL
            """, [db.environment.rawValue, account, account.bucket])
        let next: Int64? = try row?.get("next")
        return next.map(StoreTime.init(milliseconds:))
    }

    /// Whether a step of an account's subscriptions is due, or is being
    /// carried out.
    static func isDue(of account: AccountIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM subscription
            WHERE environment = $1 AND account_id = $2 AND bucket = $3 AND due_at <= $4
            UNION ALL
            SELECT 1 AS one FROM subscription JOIN payment
                ON payment.environment = subscription.environment
                AND payment.payment_number = subscription.payment_number AND payment.bucket = subscription.bucket
            WHERE subscription.environment = $1 AND subscription.account_id = $2 AND subscription.bucket = $3
                AND payment.status = 'reserved'
            LIMIT 1
            """, [db.environment.rawValue, account, account.bucket, db.now.milliseconds]) != nil
    }
}
