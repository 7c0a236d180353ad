// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AppRegistration {
    private static let columns =
        "team_id, bundle_id, name, sku, primary_locale, registration_number, apple_id, is_removed"

    private init(_ row: Row) throws {
        self.init(
            team: try row.get("team_id"), bundleIdentifier: try row.get("bundle_id"), name: try row.get("name"),
            sku: try row.get("sku"), primaryLocale: try row.get("primary_locale"),
            version: try row.get("registration_number"), appleIdentifier: try row.get("apple_id"),
            state: try row.get("is_removed") ? .removed : .used)
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

    /// The apps of a team that follow a place in an order: those of a state, or all.
    static func page(
        of team: TeamIdentifier, state: State?, by sort: AppSort, after place: ListPlace?, limit: Int,
        _ db: StoreTransaction
    ) throws -> [PlacedEntry<AppRegistration>] {
        let sorting = sort.sorting
        return try db.rows(
            """
            SELECT \(columns), registered_at FROM app
            WHERE team_id = $1 AND bundle_id <> $2 AND is_removed IN ($4, $5) AND \(sorting.condition(from: 6))
            ORDER BY \(sorting.terms) LIMIT $3
            """,
            [team, Item.catalogue, limit, state == .removed, state != .used] + sorting.arguments(after: place)
        ).map { PlacedEntry(value: try AppRegistration($0), place: try sorting.place($0)) }
    }

    /// Whether a team has as many apps as it can have.
    static func isFull(_ team: TeamIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            "SELECT 1 AS n FROM app WHERE team_id = $1 AND bundle_id <> $2 ORDER BY registered_at, bundle_id LIMIT 1 OFFSET $3",
            [team, Item.catalogue, limit - 1]) != nil
    }

    /// The first apps of a team, in the order of their identifiers.
    static func first(_ limit: Int, of team: TeamIdentifier, _ db: StoreTransaction) throws -> [AppRegistration] {
        try page(of: team, state: nil, by: .bundle, after: nil, limit: limit, db).map(\.value)
    }

    /// Saves a new app.
    ///
    /// - Throws: `DatabaseError` with the constraint `app_pkey` when the store
    ///   has the app, and `app_sku` when the team has the number.
    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO app (bundle_id, name, team_id, sku, primary_locale, registration_number, apple_id, registered_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [bundleIdentifier, name, team, sku, primaryLocale, version, appleIdentifier, db.now.milliseconds])
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

    /// The app's number. An app without one gets that of its item, or the drawn
    /// one.
    ///
    /// - Throws: ``DomainError`` `busy` when the drawn number is taken.
    func number(orDrawn drawn: Int64, _ db: StoreTransaction) throws -> Int64 {
        if let appleIdentifier { return appleIdentifier }
        let item = try Item.find(app: bundleIdentifier, db)?.identifier
        guard try item != nil || Item.isFree(drawn, db), try takeNumber(item ?? drawn, db) else {
            throw DomainError(.busy, "Try again.")
        }
        return item ?? drawn
    }

    /// Saves the name and the state, and counts the change; `false` when the
    /// app has changed since it was loaded.
    func update(_ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE app SET name = $2, is_removed = $4, registration_number = registration_number + 1
            WHERE bundle_id = $1 AND registration_number = $3
            """, [bundleIdentifier, name, version, state == .removed]) == 1
    }
}
