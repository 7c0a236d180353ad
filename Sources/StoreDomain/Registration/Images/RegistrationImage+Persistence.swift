// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

extension RegistrationImage {
    /// The product identifier of an app's own images.
    private static let ofTheApp: ProductIdentifier = ""

    private static let columns = "purpose, digest, type, width, height, size"

    private init(_ row: Row) throws {
        let purpose: String = try row.get("purpose")
        self.init(
            purpose: Purpose(rawValue: purpose) ?? .review, digest: try row.get("digest"), type: try row.get("type"),
            width: try row.get("width"), height: try row.get("height"), size: try row.get("size"))
    }

    /// The images of a product, or of an app for `nil`, without their bytes.
    static func all(
        of product: ProductIdentifier?, in app: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [Purpose: RegistrationImage] {
        let images = try db.rows(
            "SELECT \(columns) FROM registration_image WHERE bundle_id = $1 AND product_id = $2",
            [app, product ?? ofTheApp]
        ).map(RegistrationImage.init)
        return Dictionary(images.map { ($0.purpose, $0) }) { first, _ in first }
    }

    /// The images of a purpose of some products, by the products.
    static func all(
        _ purpose: Purpose, of products: [ProductIdentifier], in app: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [ProductIdentifier: RegistrationImage] {
        var images: [ProductIdentifier: RegistrationImage] = [:]
        for product in products { images[product] = try all(of: product, in: app, db)[purpose] }
        return images
    }

    /// The bytes of an image of a product, or of an app for `nil`.
    static func bytes(
        of digest: String, product: ProductIdentifier?, in app: BundleIdentifier, _ db: StoreTransaction
    ) throws -> (type: String, bytes: Data)? {
        try db.row(
            """
            SELECT type, bytes FROM registration_image
            WHERE bundle_id = $1 AND product_id = $2 AND digest = $3 LIMIT 1
            """, [app, product ?? ofTheApp, digest]
        ).map { (try $0.get("type"), try $0.get("bytes")) }
    }

    /// The bytes of an image that customers may see: an app's icon, or a
    /// product's image. A screenshot for the review is none.
    static func publicBytes(
        of digest: String, in app: BundleIdentifier, _ db: StoreTransaction
    ) throws -> (type: String, bytes: Data)? {
        try db.row(
            """
            SELECT type, bytes FROM registration_image
            WHERE bundle_id = $1 AND digest = $2 AND purpose IN ('icon', 'promotion') LIMIT 1
            """, [app, digest]
        ).map { (try $0.get("type"), try $0.get("bytes")) }
    }

    /// - Throws: ``DomainError`` `invalid` when the image, in the place of another one, is one too many of its team, or has too
    ///   many bytes with the others.
    func requireRoom(in team: TeamIdentifier, replacing before: RegistrationImage?, _ db: StoreTransaction) throws {
        let row = try db.row(
            """
            SELECT COUNT(*) AS count, CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM (
                SELECT registration_image.size FROM app
                    JOIN registration_image ON registration_image.bundle_id = app.bundle_id
                WHERE app.team_id = $1 LIMIT $2
            ) AS images
            """, [team, Self.mostOfATeam + 1])
        let (count, bytes): (Int, Int) = (try row?.get("count") ?? 0, try row?.get("bytes") ?? 0)
        // A smaller image makes room, also where there are too many.
        if let before, size <= before.size { return }
        guard count + (before == nil ? 1 : 0) <= Self.mostOfATeam,
            bytes - (before?.size ?? 0) + size <= Self.bytesOfATeam
        else {
            throw DomainError(
                .invalid,
                """
                The images of your team's products have \(bytes) bytes. A team has at most \(Self.mostOfATeam) images with \
                \(Self.bytesOfATeam) bytes: remove one first.
                """)
        }
    }

    /// Saves the image in the place of the one with its purpose.
    func save(
        _ bytes: Data, of product: ProductIdentifier?, in app: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        try db.run(
            """
            INSERT INTO registration_image
                (bundle_id, product_id, purpose, digest, type, width, height, size, bytes, added_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT (bundle_id, product_id, purpose) DO UPDATE SET
                digest = excluded.digest, type = excluded.type, width = excluded.width, height = excluded.height,
                size = excluded.size, bytes = excluded.bytes, added_at = excluded.added_at
            """,
            [
                app, product ?? Self.ofTheApp, purpose.rawValue, digest, type, width, height, size, bytes,
                db.now.milliseconds,
            ])
    }

    /// Removes the image of a purpose.
    static func delete(
        _ purpose: Purpose, of product: ProductIdentifier?, in app: BundleIdentifier, _ db: StoreTransaction
    ) throws {
        try db.run(
            "DELETE FROM registration_image WHERE bundle_id = $1 AND product_id = $2 AND purpose = $3",
            [app, product ?? ofTheApp, purpose.rawValue])
    }
}
