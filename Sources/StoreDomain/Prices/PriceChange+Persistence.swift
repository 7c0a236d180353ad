// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension PriceChange {
    private static let columns = """
        change_id, bundle_id, product_id, storefront, milliunits, starts_at, subscribers, consent, created_at,
        applied_at, previous_milliunits, allowance_milliunits, is_repeated, group_id, told_after, finished_at
        """

    /// - Throws: `DatabaseError` for a word that this version doesn't know.
    private init(_ row: Row) throws {
        let (subscribers, consent): (String, String) = (try row.get("subscribers"), try row.get("consent"))
        guard let subscribers = Subscribers(rawValue: subscribers), let consent = Consent(rawValue: consent) else {
            throw DatabaseError(.column, "A price change for \"\(subscribers)\" by \"\(consent)\" can't be read.")
        }
        let storefront: String = try row.get("storefront")
        self.init(
            identifier: try row.get("change_id"), bundleIdentifier: try row.get("bundle_id"),
            productIdentifier: try row.get("product_id"), storefront: storefront.isEmpty ? nil : storefront,
            milliunits: try row.get("milliunits"), starts: WallTime(milliseconds: try row.get("starts_at")),
            subscribers: subscribers, consent: consent, created: WallTime(milliseconds: try row.get("created_at")))
        let (applied, finished): (Int64?, Int64?) = (try row.get("applied_at"), try row.get("finished_at"))
        self.finished = finished.map(WallTime.init(milliseconds:))
        toldAfter = try row.get("told_after")
        // A change of a product that didn't exist any more has no previous price.
        let previous: Int64? = try row.get("previous_milliunits")
        guard let applied, let previous else { return }
        application = Application(
            at: WallTime(milliseconds: applied), previous: previous,
            allowance: try row.get("allowance_milliunits"),
            isRepeated: try row.get("is_repeated") as Bool? ?? false, group: try row.get("group_id"))
    }

    /// Saves a scheduled change in place of the one that was scheduled for the
    /// product and storefront.
    func schedule(_ db: StoreTransaction) throws {
        try db.run(
            """
            DELETE FROM price_change
            WHERE environment = $1 AND bundle_id = $2 AND product_id = $3 AND storefront = $4 AND applied_at IS NULL
            """, [db.environment.rawValue, bundleIdentifier, productIdentifier, storefront ?? ""])
        try db.run(
            """
            INSERT INTO price_change (environment, change_id, bundle_id, product_id, storefront, milliunits,
                starts_at, subscribers, consent, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                db.environment.rawValue, identifier, bundleIdentifier, productIdentifier, storefront ?? "",
                milliunits, starts.milliseconds, subscribers.rawValue, consent.rawValue, created.milliseconds,
            ])
    }

    /// Saves a price that was set without a schedule, for the history of the
    /// product's prices. The scheduled change stays.
    ///
    /// Subscribers keep their price and aren't informed, so that it is no
    /// increase for them: its `is_repeated` is NULL.
    func insertFinished(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO price_change (environment, change_id, bundle_id, product_id, storefront, milliunits,
                starts_at, subscribers, consent, created_at, applied_at, previous_milliunits, allowance_milliunits,
                finished_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """,
            [
                db.environment.rawValue, identifier, bundleIdentifier, productIdentifier, storefront ?? "",
                milliunits, starts.milliseconds, subscribers.rawValue, consent.rawValue, created.milliseconds,
                starts.milliseconds, application?.previous, application?.allowance, finished?.milliseconds,
            ])
    }

    /// Deletes prices of a product that have begun and aren't listed any more,
    /// at most 500. The newest increase that was scheduled for a storefront stays
    /// for the year in which it decides about the consent to another one
    /// (``hasRisen(since:_:)``).
    static func forgetOld(
        of product: ProductIdentifier, in bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        let year = db.now - .seconds(366 * 86_400)
        try db.run(
            """
            DELETE FROM price_change
            WHERE environment = $1 AND change_id IN (
                SELECT change_id FROM price_change
                WHERE environment = $1 AND bundle_id = $2 AND product_id = $3
                    AND finished_at IS NOT NULL
                    AND (is_repeated IS NULL OR starts_at < $4 OR milliunits <= previous_milliunits OR EXISTS (
                        SELECT 1 FROM price_change AS newer
                        WHERE newer.environment = $1 AND newer.bundle_id = $2 AND newer.product_id = $3
                            AND newer.storefront = price_change.storefront AND newer.is_repeated IS NOT NULL
                            AND newer.milliunits > newer.previous_milliunits
                            AND (newer.starts_at, newer.change_id) > (price_change.starts_at, price_change.change_id)))
                    AND (starts_at, change_id) < (
                        SELECT starts_at, change_id FROM price_change
                        WHERE environment = $1 AND bundle_id = $2 AND product_id = $3
                        ORDER BY starts_at DESC, change_id DESC LIMIT 1 OFFSET \(SchedulingPriceChange.listed - 1))
                ORDER BY starts_at, change_id LIMIT 500)
            """, [db.environment.rawValue, bundleIdentifier, product, year.milliseconds])
    }

    static func find(_ identifier: PriceChangeIdentifier, _ db: StoreTransaction) throws -> PriceChange? {
        try db.row(
            "SELECT \(columns) FROM price_change WHERE environment = $1 AND change_id = $2",
            [db.environment.rawValue, identifier]
        ).map(PriceChange.init)
    }

    /// The number of the scheduled changes of an app, at most `limit`.
    static func scheduledCount(
        of bundleIdentifier: BundleIdentifier, limit: Int, _ db: StoreTransaction
    ) throws -> Int {
        try db.rows(
            """
            SELECT 1 AS one FROM price_change
            WHERE environment = $1 AND bundle_id = $2 AND applied_at IS NULL LIMIT $3
            """, [db.environment.rawValue, bundleIdentifier, limit]
        ).count
    }

    /// The newest changes of a product, those that begin last first.
    static func ofProduct(
        _ product: ProductIdentifier, in bundleIdentifier: BundleIdentifier, limit: Int, _ db: StoreTransaction
    ) throws -> [PriceChange] {
        try db.rows(
            """
            SELECT \(columns) FROM price_change
            WHERE environment = $1 AND bundle_id = $2 AND product_id = $3
            ORDER BY starts_at DESC, change_id DESC LIMIT $4
            """, [db.environment.rawValue, bundleIdentifier, product, limit]
        ).map(PriceChange.init)
    }

    /// Deletes a scheduled change; `false` when it has begun, or there is
    /// none.
    static func cancel(_ identifier: PriceChangeIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            "DELETE FROM price_change WHERE environment = $1 AND change_id = $2 AND applied_at IS NULL",
            [db.environment.rawValue, identifier]) == 1
    }

    /// The changes that have begun and aren't finished, in order of their
    /// moments, at most a hundred. Those whose lease hasn't run out are left
    /// out.
    static func due(_ db: StoreTransaction) throws -> [PriceChange] {
        try db.rows(
            """
            SELECT \(columns) FROM price_change
            WHERE environment = $1 AND finished_at IS NULL AND starts_at <= $2 AND leased_until <= wall_now($2)
            ORDER BY starts_at, change_id LIMIT 100
            """, [db.environment.rawValue, db.now.milliseconds]
        ).map(PriceChange.init)
    }

    /// The changes that have begun and aren't finished.
    static func backlog(_ db: StoreTransaction) throws -> Backlog {
        try Backlog(
            db.row(
                """
                SELECT count(*) AS n, min(starts_at) AS oldest FROM price_change
                WHERE environment = $1 AND finished_at IS NULL AND starts_at <= $2
                """, [db.environment.rawValue, db.now.milliseconds]))
    }

    /// Whether a scheduled price of the product has risen there since a
    /// moment.
    func hasRisen(since moment: WallTime, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT 1 AS one FROM price_change
            WHERE environment = $1 AND bundle_id = $2 AND product_id = $3 AND storefront IN ('', $4)
                AND starts_at >= $5 AND is_repeated IS NOT NULL AND milliunits > previous_milliunits
                AND change_id <> $6
            LIMIT 1
            """,
            [
                db.environment.rawValue, bundleIdentifier, productIdentifier, storefront ?? "",
                moment.milliseconds, identifier,
            ]) != nil
    }

    /// Saves that the change was applied, or that its product doesn't exist
    /// any more.
    func saveApplication(_ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE price_change SET applied_at = $3, previous_milliunits = $4, allowance_milliunits = $5,
                is_repeated = $6, group_id = $7, finished_at = $8
            WHERE environment = $1 AND change_id = $2 AND applied_at IS NULL
            """,
            [
                db.environment.rawValue, identifier, db.now.milliseconds, application?.previous,
                application?.allowance, application?.isRepeated, application?.group, finished?.milliseconds,
            ])
    }

    /// Saves that the subscribers were informed up to a subscription, or all of
    /// them. A process that was overtaken by another one changes nothing.
    func advance(
        to last: OriginalTransactionIdentifier?, isLast: Bool, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            UPDATE price_change SET told_after = COALESCE($3, told_after), finished_at = $4
            WHERE environment = $1 AND change_id = $2 AND finished_at IS NULL
                AND COALESCE(told_after, '') <= COALESCE($3, told_after, '')
            """,
            [db.environment.rawValue, identifier, last, isLast ? db.now.milliseconds : nil])
    }
}

extension Subscription {
    /// The subscriptions of a group in order of their identifiers, after
    /// `last`.
    static func page(
        ofGroup group: SubscriptionGroupIdentifier, in bundleIdentifier: BundleIdentifier,
        after last: OriginalTransactionIdentifier?, limit: Int, _ db: StoreTransaction
    ) throws -> [Key] {
        try db.rows(
            """
            SELECT original_transaction_id, account_id, bundle_id FROM subscription
            WHERE environment = $1 AND bundle_id = $2 AND group_id = $3 AND original_transaction_id > $4
            ORDER BY original_transaction_id LIMIT $5
            """, [db.environment.rawValue, bundleIdentifier, group, last ?? "", limit]
        ).map {
            Key(
                original: try $0.get("original_transaction_id"), account: try $0.get("account_id"),
                bundleIdentifier: try $0.get("bundle_id"))
        }
    }
}
