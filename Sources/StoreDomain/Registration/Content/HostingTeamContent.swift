// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the hosted content of a team's product, and publishes and removes
/// versions for a user of the team.
///
/// The user's right is checked, and the change is logged, in the transaction
/// that changes the versions.
package struct HostingTeamContent: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most versions of a page.
    package static let pageSize = 50
    /// The most unfinished uploads of a page.
    static let uploads = 20

    /// The content of a product.
    package struct Page: Hashable, Sendable {
        /// The reference name of the product.
        package var name: String
        /// The kind of the product.
        package var kind: Product.Kind
        /// The version that customers download.
        package var newest: HostedContent?
        /// The versions after a place, in their order.
        package var versions: [HostedContent]
        /// The last version of the page, if more follow.
        package var next: String?
        /// The uploads that aren't published yet.
        package var uploads: [ContentUpload]
    }

    /// The versions of a product after one.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func page(
        of product: ProductIdentifier, in app: BundleIdentifier, after version: String = "", as user: TeamUser
    ) async throws -> Page {
        try user.require(.seeApps)
        return try await read { db in
            let known = try Self.known(product, in: app, of: user, may: .seeApps, db)
            var versions = try HostedContent.page(
                of: product, in: app, after: version, limit: Self.pageSize + 1, db)
            let isLast = versions.count <= Self.pageSize
            versions = Array(versions.prefix(Self.pageSize))
            return Page(
                name: known.referenceName, kind: known.kind,
                newest: try HostedContent.newest(of: product, in: app, db), versions: versions,
                next: isLast ? nil : versions.last?.version,
                uploads: try ContentUpload.all(of: product, in: app, limit: Self.uploads, db))
        }
    }

    /// Checks before an upload that a user may publish so many bytes.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `quotaExceeded`,
    ///   `invalid` for a product that isn't a non-consumable,
    ///   `storageUnavailable`.
    package func requireRoom(
        for bytes: Int64, of product: ProductIdentifier, in app: BundleIdentifier, by user: TeamUser
    ) async throws {
        try user.require(.editProducts)
        try await read { db in
            let kind = try Self.known(product, in: app, of: user, may: .editProducts, db).kind
            guard kind == .nonConsumable else {
                throw DomainError(.invalid, "Only a non-consumable has content that the store hosts.")
            }
        }
        let hosting = try context.requireHosting()
        try await read { db in try BeginningUpload.requireRoom(for: bytes, of: app, in: hosting.quota, db) }
    }

    /// Checks an upload of the product that has all bytes, and publishes it.
    ///
    /// - Throws: ``DomainError`` `forbidden`, `notFound`; the errors of
    ///   ``PublishingContent``.
    package func publish(
        _ upload: UploadIdentifier, of product: ProductIdentifier, in app: BundleIdentifier, by user: TeamUser,
        check: (any ContentReader) async throws -> PublishingContent.Checked
    ) async throws -> HostedContent {
        try user.require(.editProducts)
        return try await PublishingContent(context)(upload, check: check) { content, db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            try TeamChange.append(
                .contentPublished, of: product.rawValue, to: content.version, by: actor.email, in: actor.team, db)
        }
    }

    /// A published version.
    ///
    /// - Throws: ``DomainError`` `contentNotFound`.
    package func published(
        _ version: String, of product: ProductIdentifier, in app: BundleIdentifier
    ) async throws -> HostedContent {
        try await read { db in
            guard let content = try HostedContent.find(version: version, of: product, in: app, db) else {
                throw DomainError(.contentNotFound, "\(product) has no content of version \(version).")
            }
            return content
        }
    }

    /// Removes a version of a product.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, `contentNotFound`.
    package func remove(
        _ version: String, of product: ProductIdentifier, in app: BundleIdentifier, by user: TeamUser
    ) async throws {
        try user.require(.editProducts)
        try await read { db in _ = try Self.known(product, in: app, of: user, may: .editProducts, db) }
        _ = try await RemovingContent(context)(product, of: app, version: version) { removed, db in
            let actor = try TeamUser.acting(user, may: .editProducts, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            for content in removed {
                try TeamChange.append(
                    .contentRemoved, of: product.rawValue, from: content.version, by: actor.email, in: actor.team, db)
            }
        }
    }

    /// The kind of a product of the user's team.
    private static func known(
        _ product: ProductIdentifier, in app: BundleIdentifier, of user: TeamUser, may action: TeamAction,
        _ db: StoreTransaction
    ) throws -> Product {
        let actor = try TeamUser.acting(user, may: action, db)
        _ = try AppRegistration.known(app, of: actor.team, db)
        return try Catalogue.known(product, of: app, db)
    }
}
