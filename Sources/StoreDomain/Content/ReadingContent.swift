// SPDX-License-Identifier: Apache-2.0

/// Looks a content up again for each request of its bytes, so that an address
/// that was given before a refund is of no use after it.
package struct ReadingContent: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The content, if the account of the purchase owns the product now.
    ///
    /// - Throws: ``DomainError``: `contentNotOwned`, `contentNotFound`.
    package func callAsFunction(
        _ identifier: ContentIdentifier, for purchase: TransactionIdentifier
    ) async throws -> HostedContent {
        try await read { db in
            guard let content = try HostedContent.find(identifier, db) else { throw OpeningContent.notFound }
            guard let purchase = try Purchase.find(purchase, db),
                purchase.bundleIdentifier == content.bundleIdentifier,
                purchase.productIdentifier == content.productIdentifier
            else { throw DomainError(.contentNotOwned, "There is no such purchase.") }
            try ContentRight(of: purchase, db).require()
            return content
        }
    }
}
