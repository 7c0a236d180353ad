// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AppRegistration {
    private static let columns = "team_id, bundle_id, name, sku, primary_locale, registration_number, apple_id"

    private init(_ row: Row) throws {
        self.init(
            team: try row.get("team_id"), bundleIdentifier: try row.get("bundle_id"), name: try row.get("name"),
            sku: try row.get("sku"), primaryLocale: try row.get("primary_locale"),
            version: try row.get("registration_number"), appleIdentifier: try row.get("apple_id"))
    }

    /// An app of any team; `nil` for one that isn't in the store.
    static func find(_ bundleIdentifier: BundleIdentifier, _ db: StoreTransaction) throws -> AppRegistration? {
        try db.row("SELECT \(columns) FROM app WHERE bundle_id = $1", [bundleIdentifier]).map(AppRegistration.init)
    }

    /// An app of a team.
    ///
    /// - Throws: ``DomainError`` `notFound`, also for an app of another team.
    static func known(
        _ bundleIdentifier: BundleIdentifier, of team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> AppRegistration {
        guard let app = try find(bundleIdentifier, db), app.team == team, bundleIdentifier != Item.catalogue else {
            throw DomainError(.notFound, "The team has no such app.")
        }
        return app
    }

    /// The team of an app; `nil` if the store has no such app.
    static func team(of app: BundleIdentifier, _ db: StoreTransaction) throws -> TeamIdentifier? {
        try db.row("SELECT team_id FROM app WHERE bundle_id = $1", [app])?.get("team_id")
    }

    /// The apps of a team with the identifiers that follow one, in their
    /// order.
    static func page(
        of team: TeamIdentifier, after bundleIdentifier: BundleIdentifier, limit: Int, _ db: StoreTransaction
    ) throws -> [AppRegistration] {
        try db.rows(
            """
            SELECT \(columns) FROM app WHERE team_id = $1 AND bundle_id > $2 AND bundle_id <> $3
            ORDER BY bundle_id LIMIT $4
            """, [team, bundleIdentifier, Item.catalogue, limit]
        ).map(AppRegistration.init)
    }

    /// Saves a new app.
    ///
    /// - Throws: `DatabaseError` with the constraint `app_pkey` when the store
    ///   has the app, and `app_sku` when the team has the number.
    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO app (bundle_id, name, team_id, sku, primary_locale, registration_number, apple_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """, [bundleIdentifier, name, team, sku, primaryLocale, version, appleIdentifier])
    }

    /// The app with a number; `nil` for a number that no app has.
    static func app(numbered number: Int64, _ db: StoreTransaction) throws -> BundleIdentifier? {
        try db.row("SELECT bundle_id FROM app WHERE apple_id = $1", [number])?.get("bundle_id")
    }

    /// Saves the number of an app that has none; `false` when it has another
    /// one.
    func takeNumber(_ number: Int64, _ db: StoreTransaction) throws -> Bool {
        if let appleIdentifier { return appleIdentifier == number }
        return try db.run(
            "UPDATE app SET apple_id = $2 WHERE bundle_id = $1 AND apple_id IS NULL", [bundleIdentifier, number]) == 1
    }

    /// The app's number, which is the drawn one if it has none yet.
    ///
    /// - Throws: ``DomainError`` `busy` when the drawn number is taken.
    func number(orDrawn drawn: Int64, _ db: StoreTransaction) throws -> Int64 {
        if let appleIdentifier { return appleIdentifier }
        guard try Item.isFree(drawn, db), try takeNumber(drawn, db) else { throw DomainError(.busy, "Try again.") }
        return drawn
    }

    /// Saves the name, and counts the change; `false` when the app has
    /// changed since it was loaded.
    func update(_ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE app SET name = $2, registration_number = registration_number + 1
            WHERE bundle_id = $1 AND registration_number = $3
            """, [bundleIdentifier, name, version]) == 1
    }
}
