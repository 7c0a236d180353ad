// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The customer's own page of subscriptions.
extension StoreService {
    /// The subscriptions of an account, with the changes that its customer can
    /// make.
    package func managedSubscriptions(of account: Account) async throws -> [ManagedSubscription] {
        try await ManagingSubscriptions(context)(of: account.identifier)
    }

    /// Turns the renewal of a subscription on or off.
    ///
    /// - Throws: The errors of `SettingRenewal`.
    package func setRenewal(
        _ renews: Bool, of original: OriginalTransactionIdentifier, account: Account
    ) async throws {
        try requireCurrentSchema()
        try await SettingRenewal(context)(renews, of: original, account: account.identifier)
    }

    /// Lets a subscriber share a subscription with the family, or not.
    ///
    /// - Throws: The errors of `SettingFamilySharing`.
    package func setSharing(
        _ isShared: Bool, of original: OriginalTransactionIdentifier, account: Account
    ) async throws {
        try requireCurrentSchema()
        try await SettingFamilySharing(context)(isShared, of: original, account: account.identifier)
    }

    /// Agrees to a higher price of a subscription, or refuses it.
    ///
    /// - Throws: The errors of `AnsweringPriceIncrease`.
    package func answerPriceIncrease(
        _ agrees: Bool, of original: OriginalTransactionIdentifier, account: Account
    ) async throws {
        try requireCurrentSchema()
        let answering = AnsweringPriceIncrease(context)
        if agrees {
            try await answering.agree(original, account: account.identifier)
        } else {
            try await answering.decline(original, account: account.identifier)
        }
    }

    /// Chooses the product of a subscription's next period.
    ///
    /// - Throws: The errors of `ManagingSubscriptions`.
    package func choose(
        _ product: ProductIdentifier, of original: OriginalTransactionIdentifier, account: Account
    ) async throws {
        try requireCurrentSchema()
        try await ManagingSubscriptions(context).choose(product, of: original, account: account.identifier)
    }
}
