// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDatabase

/// The review by users of the operator's team, in Connect.
extension ReviewingProducts {
    /// A product of the queue, as a page lists it.
    package struct Listed: Hashable, Sendable {
        package var entry: Entry
        package var referenceName: String
        package var appName: String
        /// The name of the seller's team; `nil` for one that isn't set up.
        package var teamName: String?

        /// The texts that a search looks at.
        var texts: [String] { [entry.app.rawValue, entry.product.rawValue, referenceName, appName, teamName ?? ""] }
    }

    /// The products of the queue after one that contain a text and have a
    /// state, or any, in an order.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound` for another team.
    package func page(
        containing text: String, state: String, by sort: ReviewSort = .usual, after place: Entry?, as user: TeamUser
    ) async throws -> ReadingTeam.Page<Listed, Entry> {
        try user.require(.reviewProducts)
        let search = try SearchText(text)
        return try await ReadingTeam.Page(after: place, place: { $0.entry }) { last, limit in
            try await read { db in
                _ = try TeamUser.acting(user, may: .reviewProducts, db)
                return try Self.listed(by: sort, after: last, limit: limit, db)
            }
        } matching: { listed in
            (state.isEmpty || listed.entry.state.rawValue == state) && search.matches(listed.texts)
        }
    }

    private static func listed(
        by sort: ReviewSort, after last: Entry?, limit: Int, _ db: StoreTransaction
    ) throws -> [Listed] {
        let (follows, direction, first) = sort == .oldest ? (">", "ASC", Int64.min) : ("<", "DESC", Int64.max)
        return try db.rows(
            """
            SELECT product.bundle_id AS bundle_id, product_id, review_state, submitted_at, edit_number,
                reference_name, app.name AS app_name, team.name AS team_name
            FROM product JOIN app ON app.bundle_id = product.bundle_id LEFT JOIN team ON team.team_id = app.team_id
            WHERE submitted_at IS NOT NULL AND (submitted_at, product.bundle_id, product_id) \(follows) ($1, $2, $3)
            ORDER BY submitted_at \(direction), product.bundle_id \(direction), product_id \(direction) LIMIT $4
            """, [last?.submitted.milliseconds ?? first, last?.app ?? "", last?.product ?? "", limit]
        ).map { row in
            Listed(
                entry: try Entry(row), referenceName: try row.get("reference_name"),
                appName: try row.get("app_name"), teamName: try row.get("team_name"))
        }
    }

    /// All that a seller has submitted of a product, with the name of the
    /// seller's team.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func submission(
        of identifier: ProductIdentifier, in app: BundleIdentifier, as user: TeamUser
    ) async throws -> (submission: Submission, teamName: String?) {
        try user.require(.reviewProducts)
        return try await read { db in
            _ = try TeamUser.acting(user, may: .reviewProducts, db)
            let found = try Self.submission(of: identifier, in: app, withScreenshot: false, db)
            return (found, try Team.find(found.team, db)?.name)
        }
    }

    /// The bytes of the screenshot for the review with a digest, and their
    /// media type.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func screenshot(
        _ digest: String, of identifier: ProductIdentifier, in app: BundleIdentifier, as user: TeamUser
    ) async throws -> (type: String, bytes: Data) {
        try user.require(.reviewProducts)
        return try await read { db in
            _ = try TeamUser.acting(user, may: .reviewProducts, db)
            guard try RegistrationImage.all(of: identifier, in: app, db)[.review]?.digest == digest,
                let found = try RegistrationImage.bytes(of: digest, product: identifier, in: app, db)
            else { throw DomainError(.notFound, "There is no such image.") }
            return found
        }
    }

    /// Decides as a user of the operator's team about the version of a product
    /// that the user has seen.
    ///
    /// - Throws: ``DomainError``: `forbidden`, and those of
    ///   ``decide(_:on:of:reason:version:actor:)``; ``InvalidFields`` for a
    ///   rejection without a reason.
    package func decide(
        _ decision: ProductReview.Decision, on identifier: ProductIdentifier, of app: BundleIdentifier,
        reason: String, version: Int64, by user: TeamUser
    ) async throws {
        try user.require(.reviewProducts)
        var checks = FieldChecks()
        let reason =
            decision == .reject
            ? checks.text(reason, field: "reason", longest: ProductReview.longestReason, isOneLine: false) : ""
        try checks.finish()
        try await decide(decision, on: identifier, of: app, reason: reason, version: version) { db in
            try TeamUser.acting(user, may: .reviewProducts, db).email
        }
    }
}
