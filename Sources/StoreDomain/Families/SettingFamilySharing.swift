// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lets a subscriber share a subscription with the family, or not.
package struct SettingFamilySharing: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Turns the sharing of a subscription on or off; repeating it changes
    /// nothing. ``SharingPurchases`` gives it to the members of the family, or
    /// takes it away.
    ///
    /// - Throws: ``DomainError`` `notFound` for a subscription that the account
    ///   doesn't have.
    package func callAsFunction(
        _ isShared: Bool, of original: OriginalTransactionIdentifier, account: AccountIdentifier
    ) async throws {
        try await write(for: account) { db in
            guard try Subscription.find(original, of: account, db)?.newestState != nil else {
                throw DomainError(.notFound, "There is no subscription with the number \(original).")
            }
            guard try Subscription.setShared(isShared, original, of: account, db) else { return }
            try SharingWork.note(account, db)
        }
    }
}
