// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Removes versions of a product's content. Their bytes are removed if no
/// other version has them.
package struct RemovingContent: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Removes one version; `nil` removes all. `record` runs in the same
    /// transaction. A download that is under way
    /// ends at its next request, and the device begins again with the newest
    /// version.
    ///
    /// - Returns: The removed versions.
    /// - Throws: ``DomainError`` `contentNotFound`.
    package func callAsFunction(
        _ product: ProductIdentifier, of bundle: BundleIdentifier, version: String?,
        record: @escaping @Sendable ([HostedContent], StoreTransaction) throws -> Void = { _, _ in }
    ) async throws -> [HostedContent] {
        let storage = try context.requireHosting().storage
        let removed = try await write(.all) { db in
            let found = try Self.versions(version, of: product, in: bundle, db)
            guard !found.isEmpty else {
                throw DomainError(
                    .contentNotFound,
                    version.map { "\(product) has no content of version \($0)." } ?? "\(product) has no content.")
            }
            for content in found { try content.delete(db) }
            try record(found, db)
            let named = try HostedContent.named(found.map(\.object), db)
            return (versions: found, objects: Set(found.map(\.object)).subtracting(named))
        }
        faults("content-remove:after")
        // An object that isn't removed here is removed by `SweepingUploads`.
        for object in removed.objects { try? await storage.remove(object) }
        return removed.versions
    }

    private static func versions(
        _ version: String?, of product: ProductIdentifier, in bundle: BundleIdentifier, _ db: StoreTransaction
    ) throws -> [HostedContent] {
        guard let version else { return try HostedContent.all(of: product, in: bundle, db) }
        return try HostedContent.find(version: version, of: product, in: bundle, db).map { [$0] } ?? []
    }
}
