// SPDX-License-Identifier: Apache-2.0

/// Looks up the content that a device may download for a transaction.
package struct OpeningContent: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A content, and the purchase that gives the right to it.
    package struct Opened: Hashable, Sendable {
        package var content: HostedContent
        package var purchase: TransactionIdentifier
    }

    /// Looks up a version; `nil` is the newest one.
    ///
    /// - Throws: ``DomainError``: `contentNotOwned`, `contentNotFound`.
    package func callAsFunction(
        _ transaction: TransactionIdentifier, version: String?, on device: DeviceIdentifier
    ) async throws -> Opened {
        try await read { db in
            guard let account = try Device.signedInAccount(on: device, db),
                let purchase = try Purchase.find(knownAs: transaction, on: device, of: account.identifier, db)
            else {
                throw DomainError(
                    .contentNotOwned, "The account on this device has no transaction with the number \(transaction).")
            }
            try ContentRight(of: purchase, db).require()
            let content =
                if let version {
                    try HostedContent.find(
                        version: version, of: purchase.productIdentifier, in: purchase.bundleIdentifier, db)
                } else {
                    try HostedContent.newest(of: purchase.productIdentifier, in: purchase.bundleIdentifier, db)
                }
            guard let content else { throw Self.notFound }
            return Opened(content: content, purchase: purchase.transactionIdentifier)
        }
    }

    static let notFound = DomainError(
        .contentNotFound, "The product has no such content, or its version was removed: ask for the newest one.")
}
