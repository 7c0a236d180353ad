// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// Sets the `appAccountToken` of a purchase for a seller's server.
package struct SettingAccountToken: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Sets the token of a purchase and of those that refer to it later. Of a
    /// subscription, the newest period and later ones get it, and earlier ones
    /// keep theirs (*Set App Account Token*). Repeating it changes nothing. The
    /// user name of the payment, which apps see, stays.
    ///
    /// - Throws: ``ServerError``: those of ``FindingServedPurchase``, with
    ///   `originalTransactionNotFound` for an unknown purchase;
    ///   `familyTransactionNotSupported`, `notAnOriginalTransaction`,
    ///   `invalidAccountTokenUUID`.
    package func callAsFunction(
        _ text: String, of transaction: TransactionIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws {
        guard text.utf8.count == 36, let token = UUID(uuidString: text) else {
            throw ServerError.invalidAccountTokenUUID
        }
        let purchase: Purchase
        do {
            purchase = try await FindingServedPurchase(context)(transaction, in: bundleIdentifier)
        } catch let error as ServerError where error == .transactionNotFound {
            throw ServerError.originalTransactionNotFound
        }
        guard purchase.share == nil else { throw ServerError.familyTransactionNotSupported }
        guard purchase.isOriginal else { throw ServerError.notAnOriginalTransaction }
        let original = purchase.originalTransactionIdentifier
        try await write(for: purchase.account) { db in
            let period = try Subscription.find(original, of: purchase.account, db)?.newestState?.period
            try AccountToken(
                original: original, since: period?.start ?? purchase.date, token: token.uuidString.lowercased()
            ).save(of: purchase.account, db)
        }
    }
}
