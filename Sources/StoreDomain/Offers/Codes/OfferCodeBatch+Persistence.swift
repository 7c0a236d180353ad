// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension OfferCodeBatch {
    private static let columns = """
        batch_id, bundle_id, product_id, kind, offer_id, name, size, uses_limit, fingerprint, made, redeemed,
        created_at, expires_at, revoked_at
        """

    init(_ row: Row) throws {
        let kind: String = try row.get("kind")
        guard let known = Kind(rawValue: kind) else {
            throw DatabaseError(.column, "The kind \"\(kind)\" of a batch of codes can't be read.")
        }
        let expires: Int64? = try row.get("expires_at")
        let revoked: Int64? = try row.get("revoked_at")
        self.init(
            identifier: try row.get("batch_id"), bundleIdentifier: try row.get("bundle_id"),
            productIdentifier: try row.get("product_id"), kind: known, offer: try row.get("offer_id"),
            name: try row.get("name"), size: try row.get("size"), usesLimit: try row.get("uses_limit"),
            fingerprint: try row.get("fingerprint"), made: try row.get("made"),
            redemptions: try row.get("redeemed"), created: WallTime(milliseconds: try row.get("created_at")),
            expires: expires.map(WallTime.init(milliseconds:)), revoked: revoked.map(WallTime.init(milliseconds:)))
    }

    static func find(_ identifier: String, _ db: StoreTransaction) throws -> OfferCodeBatch? {
        try db.row(
            "SELECT \(columns) FROM offer_code_batch WHERE environment = $1 AND batch_id = $2",
            [db.environment.rawValue, identifier]
        ).map(OfferCodeBatch.init)
    }

    /// A batch that no other transaction changes until this one ends. The
    /// update changes no value, but locks the row on every engine.
    static func hold(_ identifier: String, _ db: StoreTransaction) throws -> OfferCodeBatch? {
        try db.run(
            "UPDATE offer_code_batch SET made = made WHERE environment = $1 AND batch_id = $2",
            [db.environment.rawValue, identifier])
        return try find(identifier, db)
    }

    /// Counts a redemption of a batch that isn't revoked; `false` for a
    /// revoked one. It locks the batch until the end of the transaction, so
    /// that it is revoked before or after it.
    static func countRedemption(_ identifier: String, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE offer_code_batch SET redeemed = redeemed + 1
            WHERE environment = $1 AND batch_id = $2 AND revoked_at IS NULL
            """, [db.environment.rawValue, identifier]) == 1
    }

    /// Takes a counted redemption back.
    static func uncountRedemption(_ identifier: String, _ db: StoreTransaction) throws {
        try db.run(
            "UPDATE offer_code_batch SET redeemed = redeemed - 1 WHERE environment = $1 AND batch_id = $2 AND redeemed > 0",
            [db.environment.rawValue, identifier])
    }

    /// The number of an app's batches since a moment, and of their
    /// redemptions: of promo codes, or of the other kinds.
    static func totals(
        of app: BundleIdentifier, since moment: WallTime, arePromos: Bool, product: ProductIdentifier,
        _ db: StoreTransaction
    ) throws -> (batches: Int, codes: Int, ofProduct: Int) {
        let row = try db.row(
            """
            SELECT count(*) AS batches, CAST(COALESCE(SUM(size * uses_limit), 0) AS BIGINT) AS codes,
                CAST(COALESCE(SUM(CASE WHEN product_id = $4 THEN size * uses_limit ELSE 0 END), 0) AS BIGINT)
                    AS of_product
            FROM offer_code_batch
            WHERE environment = $1 AND bundle_id = $2 AND created_at >= $3
                AND CASE WHEN kind = 'promo' THEN 1 ELSE 0 END = $5
            """, [db.environment.rawValue, app, moment.milliseconds, product, arePromos])
        guard let row else { return (0, 0, 0) }
        return (try row.get("batches"), try row.get("codes"), try row.get("of_product"))
    }

    /// The oldest batches of an app, at most `limit`.
    static func all(
        of bundleIdentifier: BundleIdentifier, limit: Int, _ db: StoreTransaction
    ) throws -> [OfferCodeBatch] {
        try db.rows(
            """
            SELECT \(columns) FROM offer_code_batch
            WHERE environment = $1 AND bundle_id = $2 ORDER BY created_at, batch_id LIMIT $3
            """, [db.environment.rawValue, bundleIdentifier, limit]
        ).map(OfferCodeBatch.init)
    }

    /// The batches of an app that were made before one, newest first; of all
    /// for `nil`.
    static func page(
        of bundleIdentifier: BundleIdentifier, before batch: OfferCodeBatch?, limit: Int, _ db: StoreTransaction
    ) throws -> [OfferCodeBatch] {
        try db.rows(
            """
            SELECT \(columns) FROM offer_code_batch
            WHERE environment = $1 AND bundle_id = $2 AND (created_at, batch_id) < ($3, $4)
            ORDER BY created_at DESC, batch_id DESC LIMIT $5
            """,
            [
                db.environment.rawValue, bundleIdentifier, batch?.created.milliseconds ?? Int64.max,
                batch?.identifier ?? "", limit,
            ]
        ).map(OfferCodeBatch.init)
    }

    /// The apps that have codes, at most fifty.
    static func apps(_ db: StoreTransaction) throws -> [BundleIdentifier] {
        var apps: [BundleIdentifier] = []
        while apps.count < 50 {
            let next = try db.row(
                """
                SELECT bundle_id FROM offer_code_batch WHERE environment = $1 AND bundle_id > $2
                ORDER BY bundle_id, created_at LIMIT 1
                """, [db.environment.rawValue, apps.last ?? ""])
            guard let next else { break }
            apps.append(try next.get("bundle_id"))
        }
        return apps
    }

    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO offer_code_batch (environment, batch_id, bundle_id, product_id, kind, offer_id, name, size,
                uses_limit, fingerprint, made, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, $12)
            """,
            [
                db.environment.rawValue, identifier, bundleIdentifier, productIdentifier, kind.rawValue, offer, name,
                size, usesLimit, fingerprint, created.milliseconds, expires?.milliseconds,
            ])
    }

    /// Saves the hashes of codes, which follow those that are saved already.
    func append(_ hashes: [String], _ db: StoreTransaction) throws {
        for (index, hash) in hashes.enumerated() {
            try db.run(
                """
                INSERT INTO offer_code (environment, hash, batch_id, number, uses, uses_limit)
                VALUES ($1, $2, $3, $4, 0, $5)
                """, [db.environment.rawValue, hash, identifier, made + index, usesLimit])
        }
        try db.run(
            "UPDATE offer_code_batch SET made = $3 WHERE environment = $1 AND batch_id = $2",
            [db.environment.rawValue, identifier, made + hashes.count])
    }

    /// Revokes the batch, unless it is revoked already.
    static func revoke(_ identifier: String, _ db: StoreTransaction) throws {
        try db.run(
            """
            UPDATE offer_code_batch SET revoked_at = $3
            WHERE environment = $1 AND batch_id = $2 AND revoked_at IS NULL
            """, [db.environment.rawValue, identifier, db.now.milliseconds])
    }

    /// The numbers of the redeemed codes, with the redemptions of each.
    func redeemed(_ db: StoreTransaction) throws -> [Int: Int] {
        let rows = try db.rows(
            """
            SELECT number, uses FROM offer_code WHERE environment = $1 AND batch_id = $2 AND uses > 0 ORDER BY number
            """, [db.environment.rawValue, identifier])
        return try Dictionary(uniqueKeysWithValues: rows.map { (try $0.get("number"), try $0.get("uses")) })
    }
}
