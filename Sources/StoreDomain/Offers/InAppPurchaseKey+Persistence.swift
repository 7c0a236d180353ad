// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension InAppPurchaseKey {
    private init(_ row: Row) throws {
        let bundle: String = try row.get("bundle_id")
        let revoked: Int64? = try row.get("revoked_at")
        self.init(
            identifier: try row.get("key_id"), bundleIdentifier: bundle.isEmpty ? nil : BundleIdentifier(bundle),
            name: try row.get("name"), publicKey: try row.get("public_key"),
            created: WallTime(milliseconds: try row.get("created_at")),
            revoked: revoked.map(WallTime.init(milliseconds:)))
    }

    /// The keys of all apps, and then those of the apps' files, at most twice
    /// ``limit``.
    static func all(_ db: StoreTransaction) throws -> [InAppPurchaseKey] {
        try db.rows(
            """
            SELECT * FROM in_app_purchase_key WHERE bundle_id >= '' ORDER BY bundle_id, key_id LIMIT \(2 * limit)
            """
        ).map(InAppPurchaseKey.init)
    }

    /// The keys that are, or were, valid for an app: those of its file, of all
    /// apps, and of its team.
    static func all(of bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws -> [InAppPurchaseKey] {
        try db.rows(
            "SELECT * FROM in_app_purchase_key WHERE bundle_id IN ('', $1) ORDER BY bundle_id, key_id",
            [bundleIdentifier]
        ).map(InAppPurchaseKey.init) + ofTeam(of: bundleIdentifier, db)
    }

    /// The keys of all apps, and of an app's team, with an identifier.
    static func named(
        _ identifier: String, forServersOf app: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [InAppPurchaseKey] {
        guard !identifier.utf8.contains(0) else { return [] }
        return try db.rows("SELECT * FROM in_app_purchase_key WHERE bundle_id = '' AND key_id = $1", [identifier])
            .map(InAppPurchaseKey.init) + ofTeam(of: app, named: identifier, db)
    }

    /// The keys of the files of a team's apps, the apps in the order of their identifiers.
    static func ofFiles(of team: TeamIdentifier, _ db: StoreTransaction) throws -> [InAppPurchaseKey] {
        try db.rows(
            """
            SELECT * FROM in_app_purchase_key WHERE bundle_id > ''
                AND (SELECT team_id FROM app WHERE app.bundle_id = in_app_purchase_key.bundle_id) = $1
            ORDER BY bundle_id, key_id LIMIT $2
            """, [team, limit]
        ).map(InAppPurchaseKey.init)
    }

    /// The most keys of all apps.
    static let limit = 1000

    /// The most keys of an app's files that are revoked.
    static let revokedLimit = 50

    /// Whether an app whose files had some keys can't have another one.
    static func areTooMany(_ known: [InAppPurchaseKey]) -> Bool {
        known.count(where: { $0.revoked != nil }) >= revokedLimit
    }

    /// Saves a key that the table doesn't have.
    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO in_app_purchase_key (key_id, bundle_id, name, public_key, created_at)
            VALUES ($1, $2, $3, $4, $5)
            """,
            [identifier, bundleIdentifier?.rawValue ?? "", name, publicKey, created.milliseconds])
    }

    /// Saves the key of an app's configuration file, instead of the one that
    /// the file had before. The same key stays revoked.
    ///
    /// - Throws: ``DomainError`` `invalid` for another key after as many were
    ///   revoked as are kept.
    static func replaceKey(
        ofFileOf bundleIdentifier: BundleIdentifier, by key: InAppPurchaseKey?, _ db: StoreTransaction
    ) throws {
        let known = try all(of: bundleIdentifier, db).filter { $0.bundleIdentifier == bundleIdentifier }
        let isKnown = known.contains { $0.identifier == key?.identifier && $0.publicKey == key?.publicKey }
        if key != nil, !isKnown, areTooMany(known) {
            throw DomainError(
                .invalid,
                """
                \(revokedLimit) keys of the app's files were revoked: leave subscriptionOffersKeyPair out of the file, and sign \
                offers by a key of the team.
                """)
        }
        // A revoked key is kept, so that it stays revoked when an earlier file is imported again.
        try db.run(
            """
            DELETE FROM in_app_purchase_key
            WHERE bundle_id = $1 AND (key_id <> $2 AND revoked_at IS NULL OR key_id = $2 AND $3 = 0)
            """, [bundleIdentifier, key?.identifier ?? "", isKnown])
        if !isKnown { try key?.insert(db) }
    }

    /// The issuer of sellers' tokens; `nil` when none was drawn.
    static func issuer(_ db: StoreTransaction) throws -> String? {
        try db.row("SELECT issuer_id FROM token_issuer WHERE place = 1")?.get("issuer_id")
    }

    /// The issuer of sellers' tokens, which is saved if there is none.
    static func issuer(orElse drawn: String, _ db: StoreTransaction) throws -> String {
        try db.run(
            "INSERT INTO token_issuer (place, issuer_id) VALUES (1, $1) ON CONFLICT (place) DO NOTHING", [drawn])
        return try issuer(db) ?? drawn
    }

    /// Revokes the key of an app's file; `false` when there is none, or it is
    /// revoked.
    static func revoke(
        _ identifier: String, ofFileOf app: BundleIdentifier, _ db: StoreTransaction
    ) throws -> Bool {
        try db.run(
            "UPDATE in_app_purchase_key SET revoked_at = $3 WHERE bundle_id = $1 AND key_id = $2 AND revoked_at IS NULL",
            [app, identifier, db.now.milliseconds]) > 0
    }

    /// Revokes a key, also one of an app's file; `false` when there is none, or
    /// it is revoked.
    static func revoke(_ identifier: String, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            "UPDATE in_app_purchase_key SET revoked_at = $2 WHERE bundle_id >= '' AND key_id = $1 AND revoked_at IS NULL",
            [identifier, db.now.milliseconds]) > 0
    }
}
