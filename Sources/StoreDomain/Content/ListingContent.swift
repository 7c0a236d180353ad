// SPDX-License-Identifier: Apache-2.0

/// Lists the content of an app, by product and then by version.
package struct ListingContent: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of versions that a call returns.
    package static let pageSize = 200

    /// A place in the list.
    package struct Position: Hashable, Sendable {
        package var product: ProductIdentifier
        package var version: String

        package init(product: ProductIdentifier, version: String) {
            self.product = product
            self.version = version
        }
    }

    /// The versions after a place, at most ``pageSize``.
    ///
    /// - Throws: ``DomainError`` `notFound` for an unknown app.
    package func callAsFunction(
        of bundle: BundleIdentifier, after last: Position? = nil
    ) async throws -> [HostedContent] {
        try await read { db in
            guard try Catalogue.app(bundle, db) != nil else {
                throw DomainError(.notFound, "The store has no app \(bundle).")
            }
            return try HostedContent.all(of: bundle, after: last, limit: Self.pageSize, db)
        }
    }
}
