// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreCore
import StoreDatabase

/// The operator's review of products: lists the queue, and decides.
package struct ReviewingProducts: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most products of a page of the queue.
    package static let pageSize = 100

    /// A product in the queue.
    package struct Entry: Hashable, Sendable {
        package var app: BundleIdentifier
        package var product: ProductIdentifier
        package var state: ProductReview.State
        package var submitted: WallTime
        /// The number of the product's changes, which a decision names.
        package var version: Int64

        package init(
            app: BundleIdentifier, product: ProductIdentifier, state: ProductReview.State, submitted: WallTime,
            version: Int64
        ) {
            self.app = app
            self.product = product
            self.state = state
            self.submitted = submitted
            self.version = version
        }

        init(_ row: Row) throws {
            self.init(
                app: try row.get("bundle_id"), product: try row.get("product_id"),
                state: ProductReview.State(rawValue: try row.get("review_state")) ?? .waiting,
                submitted: WallTime(milliseconds: try row.get("submitted_at")), version: try row.get("edit_number"))
        }
    }

    /// The products in the queue that follow one, those that were submitted
    /// first at the beginning.
    ///
    /// - Throws: `DatabaseError`.
    package func queue(after entry: Entry? = nil) async throws -> [Entry] {
        try await read { db in
            try db.rows(
                """
                SELECT bundle_id, product_id, review_state, submitted_at, edit_number FROM product
                WHERE submitted_at IS NOT NULL AND (submitted_at, bundle_id, product_id) > ($1, $2, $3)
                ORDER BY submitted_at, bundle_id, product_id LIMIT $4
                """,
                [
                    entry?.submitted.milliseconds ?? Int64.min, entry?.app ?? "", entry?.product ?? "", Self.pageSize,
                ]
            ).map(Entry.init)
        }
    }

    /// All that a seller has submitted of a product.
    package struct Submission: Sendable {
        package var registration: ProductRegistration
        package var appName: String
        package var team: TeamIdentifier
        package var screenshot: RegistrationImage?
        /// The bytes of the screenshot; `nil` unless they were asked for.
        package var screenshotBytes: Data?

        /// The values of the product by their names, in the order of the
        /// names, without those that are empty.
        package var values: [(name: String, value: String)] {
            registration.facts.filter { !$0.value.isEmpty && $0.key != "review note" }
                .map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
        }
    }

    /// Reads the submission of a product, whether it is in the
    /// queue or not.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func submission(
        of identifier: ProductIdentifier, in app: BundleIdentifier, withScreenshot: Bool
    ) async throws -> Submission {
        try await read { db in try Self.submission(of: identifier, in: app, withScreenshot: withScreenshot, db) }
    }

    static func submission(
        of identifier: ProductIdentifier, in app: BundleIdentifier, withScreenshot: Bool, _ db: StoreTransaction
    ) throws -> Submission {
        let registration = try ProductRegistration.known(identifier, of: app, db)
        guard let row = try db.row("SELECT name, team_id FROM app WHERE bundle_id = $1", [app]) else {
            throw DomainError(.notFound, "The store has no such app.")
        }
        let screenshot = try RegistrationImage.all(of: identifier, in: app, db)[.review]
        let image = try screenshot.flatMap { screenshot in
            withScreenshot
                ? try RegistrationImage.bytes(of: screenshot.digest, product: identifier, in: app, db) : nil
        }
        return Submission(
            registration: registration, appName: try row.get("name"), team: try row.get("team_id"),
            screenshot: screenshot, screenshotBytes: image?.bytes)
    }

    /// Decides about a product of the queue. `version` is that of the product
    /// which was looked at; `nil` for the present one. `actor` returns the
    /// e-mail address of the user who decides in Connect.
    ///
    /// - Throws: ``DomainError``: `notFound`; `decided` for a product outside
    ///   of the queue; `changed` when the seller has changed it since;
    ///   `invalid` for a rejection without a reason.
    @discardableResult
    package func decide(
        _ decision: ProductReview.Decision, on identifier: ProductIdentifier, of app: BundleIdentifier,
        reason: String = "", version: Int64? = nil,
        actor: @escaping @Sendable (StoreTransaction) throws -> String? = { _ in nil }
    ) async throws -> ProductReview {
        try await write(.catalogue(of: app)) { db in
            let reviewer = try actor(db)
            let before = try ProductRegistration.known(identifier, of: app, db)
            // The closure runs again after a lost commit.
            if before.review == Self.repeated(decision, reason, before.review) { return before.review }
            if let version, version != before.version { throw DomainError.changed }
            var after = before
            after.review = try before.review.decided(decision, reason: reason)
            try after.save(db)
            try Self.log(identifier, of: app, from: before.review, to: after.review, by: reviewer, db)
            return after.review
        }
    }

    /// Appends a decision to the log of the seller, as the operator's, and
    /// that of a user to the log of the operator's team.
    private static func log(
        _ identifier: ProductIdentifier, of app: BundleIdentifier, from before: ProductReview,
        to after: ProductReview, by reviewer: String?, _ db: StoreTransaction
    ) throws {
        let row = try db.row("SELECT team_id FROM app WHERE bundle_id = $1", [app])
        guard let team: TeamIdentifier = try row?.get("team_id") else { return }
        let result = [after.state.rawValue, after.reason].compactMap { $0 }.joined(separator: ": ")
        let isOwn = team == Team.ofTheStore
        try TeamChange.append(
            .productReviewed, of: identifier.rawValue, from: before.state.rawValue, to: result,
            by: isOwn ? reviewer ?? "" : "", in: team, db)
        guard let reviewer, !isOwn else { return }
        try TeamChange.append(
            .productReviewed, of: "\(app) \(identifier)", from: before.state.rawValue, to: result, by: reviewer,
            in: Team.ofTheStore, db)
    }

    /// The review that a decision has left behind.
    private static func repeated(
        _ decision: ProductReview.Decision, _ reason: String, _ review: ProductReview
    ) -> ProductReview {
        switch decision {
        case .begin: ProductReview(state: .inReview, submitted: review.submitted)
        case .approve: ProductReview(state: .approved)
        case .reject: ProductReview(state: .rejected, reason: reason.trimmingWhitespace())
        }
    }
}
