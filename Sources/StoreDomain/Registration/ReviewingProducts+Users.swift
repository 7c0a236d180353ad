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

        /// Whether one of the texts contains a word in lower case.
        func contains(_ word: String) -> Bool {
            [entry.app.rawValue, entry.product.rawValue, referenceName, appName, teamName ?? ""]
                .contains { $0.lowercased().contains(word) }
        }
    }

    /// The products of the queue after one that contain a text and have a
    /// state, or any, in the order of their submission.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound` for another team.
    package func page(
        containing text: String, state: String, after place: Entry?, as user: TeamUser
    ) async throws -> ReadingTeam.Page<Listed, Entry> {
        try user.require(.reviewProducts)
        let word = text.trimmingWhitespace().lowercased()
        let first =
            place
            ?? Entry(
                app: "", product: "", state: .waiting, submitted: WallTime(milliseconds: .min), version: 0)
        return try await read { db in
            _ = try TeamUser.acting(user, may: .reviewProducts, db)
            return try ReadingTeam.Page(after: first, place: \.entry) { last, limit in
                try Self.queue(after: last, limit: limit, db).map { try Self.listed($0, db) }
            } matching: { listed in
                (state.isEmpty || listed.entry.state.rawValue == state) && (word.isEmpty || listed.contains(word))
            }
        }
    }

    private static func listed(_ entry: Entry, _ db: StoreTransaction) throws -> Listed {
        let row = try db.row(
            """
            SELECT product.reference_name AS reference, app.name AS app, team.name AS team FROM product
            JOIN app ON app.bundle_id = product.bundle_id LEFT JOIN team ON team.team_id = app.team_id
            WHERE product.bundle_id = $1 AND product.product_id = $2
            """, [entry.app, entry.product])
        return Listed(
            entry: entry, referenceName: try row?.get("reference") ?? "", appName: try row?.get("app") ?? "",
            teamName: try row?.get("team"))
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
