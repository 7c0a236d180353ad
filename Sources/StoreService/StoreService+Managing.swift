// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The customer's own page of subscriptions.
extension StoreService {
    /// The subscriptions of an account, with the changes that its customer can
    /// make.
    package func managedSubscriptions(of account: Account) async throws -> [ManagedSubscription] {
        try await ManagingSubscriptions(context)(of: account.identifier)
    }

    /// Turns the renewal of a subscription on or off, on the terms that were
    /// `shown`.
    ///
    /// - Returns: The request that waits for a parent of a child; `nil` after
    ///   the change.
    /// - Throws: The errors of `SettingRenewal`.
    @discardableResult
    package func setRenewal(
        _ renews: Bool, of original: OriginalTransactionIdentifier, account: Account, shown: AgreedTerms? = nil
    ) async throws -> DeviceRequest? {
        try requireCurrentSchema()
        return try await SettingRenewal(context)(renews, of: original, account: account.identifier, shown: shown)
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

    /// Agrees to a higher price of a subscription, on the terms that were
    /// `shown`, or refuses it.
    ///
    /// - Returns: The request that waits for a parent of a child; `nil` after
    ///   the answer.
    /// - Throws: The errors of `AnsweringPriceIncrease`.
    @discardableResult
    package func answerPriceIncrease(
        _ agrees: Bool, of original: OriginalTransactionIdentifier, account: Account, shown: AgreedTerms? = nil
    ) async throws -> DeviceRequest? {
        try requireCurrentSchema()
        let answering = AnsweringPriceIncrease(context)
        if agrees { return try await answering.agree(original, account: account.identifier, shown: shown) }
        try await answering.decline(original, account: account.identifier)
        return nil
    }

    /// Chooses the product of a subscription's next period, on the terms that
    /// were `shown`.
    ///
    /// - Returns: The request that waits for a parent of a child; `nil` when the
    ///   product is chosen.
    /// - Throws: The errors of `ManagingSubscriptions`.
    @discardableResult
    package func choose(
        _ product: ProductIdentifier, of original: OriginalTransactionIdentifier, account: Account,
        shown: AgreedTerms? = nil
    ) async throws -> DeviceRequest? {
        try requireCurrentSchema()
        return try await ManagingSubscriptions(context)
            .choose(product, of: original, account: account.identifier, shown: shown)
    }
}
