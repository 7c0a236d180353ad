// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension MassExtension {
    private static let columns = """
        bundle_id, product_id, request_id, days, reason, storefronts, place, succeeded, failed, created_at, completed_at
        """

    private init(_ row: Row) throws {
        let (storefronts, place): (String, String) = (try row.get("storefronts"), try row.get("place"))
        let completed: Int64? = try row.get("completed_at")
        self.init(
            bundleIdentifier: try row.get("bundle_id"), product: try row.get("product_id"),
            order: RenewalExtension(
                days: try row.get("days"), reason: RenewalExtension.Reason(rawValue: try row.get("reason")),
                request: try row.get("request_id")),
            storefronts: Set(storefronts.split(separator: " ").map(String.init)),
            created: WallTime(milliseconds: try row.get("created_at")),
            place: place.isEmpty ? nil : OriginalTransactionIdentifier(place), succeeded: try row.get("succeeded"),
            failed: try row.get("failed"), completed: completed.map(WallTime.init(milliseconds:)))
    }

    /// The order of an app, a product and a seller's identifier.
    static func find(
        _ request: RenewalExtensionIdentifier, of product: ProductIdentifier, in bundleIdentifier: BundleIdentifier,
        _ db: StoreTransaction
    ) throws -> MassExtension? {
        try db.row(
            """
            SELECT \(columns) FROM mass_extension
            WHERE environment = $1 AND bundle_id = $2 AND product_id = $3 AND request_id = $4
            """, [db.environment.rawValue, bundleIdentifier, product, request]
        ).map(MassExtension.init)
    }

    /// The orders that aren't complete, oldest first, with few of each team.
    static func open(limit: Int, ofATeam: Int, _ db: StoreTransaction) throws -> [MassExtension] {
        try db.rows(
            """
            SELECT \(columns) FROM (
                SELECT mass_extension.*, ROW_NUMBER() OVER (
                    PARTITION BY (SELECT team_id FROM app WHERE app.bundle_id = mass_extension.bundle_id)
                    ORDER BY created_at, bundle_id, product_id, request_id) AS place_in_team
                FROM mass_extension WHERE environment = $1 AND completed_at IS NULL
            ) AS placed
            WHERE place_in_team <= $3 ORDER BY created_at, bundle_id, product_id, request_id LIMIT $2
            """, [db.environment.rawValue, limit, ofATeam]
        ).map(MassExtension.init)
    }

    /// Whether an order of a product isn't complete, or as many of its app
    /// aren't as may wait.
    static func isWaiting(
        for product: ProductIdentifier, in bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> Bool {
        let products: [ProductIdentifier] = try db.rows(
            """
            SELECT product_id FROM mass_extension
            WHERE environment = $1 AND bundle_id = $2 AND completed_at IS NULL LIMIT $3
            """, [db.environment.rawValue, bundleIdentifier, mostOfAnApp]
        ).map { try $0.get("product_id") }
        return products.contains(product) || products.count == mostOfAnApp
    }

    /// The orders that aren't complete.
    static func backlog(_ db: StoreTransaction) throws -> Backlog {
        try Backlog(
            db.row(
                """
                SELECT count(*) AS n, min(created_at) AS oldest FROM mass_extension
                WHERE environment = $1 AND completed_at IS NULL
                """, [db.environment.rawValue]))
    }

    /// Saves a new order; one that exists stays as it is.
    func insert(_ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO mass_extension (environment, \(Self.columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, '', 0, 0, $8, NULL)
            ON CONFLICT (environment, bundle_id, product_id, request_id) DO NOTHING
            """,
            [
                db.environment.rawValue, bundleIdentifier, product, order.request, order.days, order.reason.rawValue,
                storefronts.sorted().joined(separator: " "), created.milliseconds,
            ])
    }

    /// Saves the progress after a place; `false` when another process has gone
    /// on from there.
    func save(after place: OriginalTransactionIdentifier?, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            UPDATE mass_extension SET place = $6, succeeded = $7, failed = $8, completed_at = $9
            WHERE environment = $1 AND bundle_id = $2 AND product_id = $3 AND request_id = $4 AND place = $5
                AND completed_at IS NULL
            """,
            [
                db.environment.rawValue, bundleIdentifier, product, order.request, place?.rawValue ?? "",
                self.place?.rawValue ?? "", succeeded, failed, completed?.milliseconds,
            ]) == 1
    }
}
