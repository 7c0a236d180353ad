// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// Sets the `appAccountToken` of a purchase for a seller's server.
package struct SettingAccountToken: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Sets the token of a purchase and of all that refer to it, now and
    /// later. Repeating it changes nothing. The user name of the payment, which
    /// apps see, stays.
    ///
    /// - Throws: ``ServerError``: those of ``FindingServedPurchase``;
    ///   `familyTransactionNotSupported`, `notAnOriginalTransaction`,
    ///   `invalidAccountTokenUUID`.
    package func callAsFunction(
        _ text: String, of transaction: TransactionIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws {
        guard text.utf8.count == 36, let token = UUID(uuidString: text) else {
            throw ServerError.invalidAccountTokenUUID
        }
        let purchase = try await FindingServedPurchase(context)(transaction, in: bundleIdentifier)
        guard purchase.share == nil else { throw ServerError.familyTransactionNotSupported }
        guard purchase.isOriginal else { throw ServerError.notAnOriginalTransaction }
        let set = AccountToken(
            original: purchase.originalTransactionIdentifier, token: token.uuidString.lowercased())
        try await write(for: purchase.account) { db in try set.save(of: purchase.account, db) }
    }
}
