// SPDX-License-Identifier: Apache-2.0

import Logging
import StoreCore
package import StoreDomain

/// Decisions about purchases and accounts that aren't made by the customer on
/// a sheet, but by a parent, the sandbox's remote control or a test.
///
/// Each change of a request, a purchase or an account wakes the event streams
/// of the affected devices that this process has before the function returns.
extension StoreService {
    /// Approves a request to buy (Ask to Buy), by the number of the purchase
    /// that it will be.
    ///
    /// - Throws: The errors of `ResolvingPendingPurchase.approve`.
    @discardableResult
    package func approve(_ transaction: TransactionIdentifier) async throws -> DeviceRequest {
        try requireDeliverable()
        let outcome = try await ResolvingPendingPurchase(context).approve(transaction)
        report(outcome)
        return outcome.request
    }

    /// Declines a request to buy.
    ///
    /// - Throws: The errors of `ResolvingPendingPurchase.decline`.
    @discardableResult
    package func decline(_ transaction: TransactionIdentifier) async throws -> DeviceRequest {
        try await ResolvingPendingPurchase(context).decline(transaction)
    }

    /// Continues an interrupted purchase after the customer has taken the
    /// action that the store required.
    ///
    /// - Throws: The errors of `ResolvingPendingPurchase.resolve`.
    @discardableResult
    package func resolve(_ transaction: TransactionIdentifier) async throws -> DeviceRequest {
        try requireDeliverable()
        let outcome = try await ResolvingPendingPurchase(context).resolve(transaction)
        report(outcome)
        return outcome.request
    }

    /// Lists requests that wait for a decision, `deferred` or `interrupted`,
    /// in order of their numbers after `transaction`, at most two hundred.
    package func undecided(after transaction: TransactionIdentifier = "") async throws -> [DeviceRequest] {
        try await ResolvingPendingPurchase(context).undecided(after: transaction)
    }

    /// Refunds the rest of a purchase's price, or a part of it: a decimal such
    /// as `0.99` in the purchase's currency. A call that is repeated with its
    /// identifier, 16 bytes in lower-case hexadecimal, changes nothing.
    ///
    /// - Returns: The original purchase, which is revoked.
    /// - Throws: The errors of `RefundingPurchase`, and `invalid` for an
    ///   amount or an identifier of another form.
    @discardableResult
    package func refund(
        _ transaction: TransactionIdentifier, amount: String? = nil, identifier: String? = nil
    ) async throws -> Purchase {
        try Self.check(refund: identifier)
        var milliunits: Int64?
        if let amount {
            do {
                milliunits = try Money.milliunits(of: amount)
            } catch {
                throw DomainError(.invalid, "The amount \"\(amount)\" \(error): write a decimal such as 0.99.")
            }
        }
        let outcome = try await RefundingPurchase(context)(
            transaction, amount: milliunits, identifier: identifier.map { RefundIdentifier($0) })
        if let failure = outcome.failure {
            logger.warning("a refund is due", metadata: ["transaction": "\(transaction)", "error": "\(failure)"])
        }
        return outcome.purchase
    }

    private static func check(refund identifier: String?) throws {
        guard let identifier, !identifier.isHexadecimal(bytes: 16) else { return }
        throw DomainError(.invalid, "The identifier of a refund is 16 bytes in lower-case hexadecimal.")
    }

    /// Takes back the refund that has revoked a purchase. A call that is
    /// repeated with its identifier, 16 bytes in lower-case hexadecimal, changes
    /// nothing.
    ///
    /// - Returns: The purchase, which the customer has again.
    /// - Throws: The errors of `ReversingRefund`, and `invalid` for an
    ///   identifier of another form.
    @discardableResult
    package func reverseRefund(
        of transaction: TransactionIdentifier, identifier: String? = nil
    ) async throws -> Purchase {
        try Self.check(refund: identifier)
        let outcome = try await ReversingRefund(context)(
            transaction, identifier: identifier.map { RefundIdentifier($0) })
        if let failure = outcome.failure {
            logger.warning(
                "a reversed refund is due", metadata: ["transaction": "\(transaction)", "error": "\(failure)"])
        }
        return outcome.purchase
    }

    /// Takes a shared purchase away from a member of a family, without a refund.
    ///
    /// - Returns: The member's purchase.
    /// - Throws: The errors of `RevokingShare`.
    @discardableResult
    package func revoke(_ transaction: TransactionIdentifier) async throws -> Purchase {
        try await RevokingShare(context)(transaction)
    }

    /// Changes an account: its country, whether the store sells to it, Ask to
    /// Buy, and whether its purchases are interrupted.
    ///
    /// - Throws: The errors of `ChangingAccount`.
    @discardableResult
    package func change(account email: String, _ change: ChangingAccount.Change) async throws -> Account {
        try await ChangingAccount(context)(email: email, change)
    }

    /// The account of an e-mail address.
    ///
    /// - Throws: The errors of `FindingAccount`.
    package func account(_ email: String) async throws -> Account {
        try await FindingAccount(context)(email: email)
    }

    /// Sets the storefronts in which a product isn't sold. Devices aren't
    /// notified.
    ///
    /// - Throws: The errors of `SettingAvailability`.
    package func limit(
        product identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, isNotSoldIn countries: Set<String>
    ) async throws {
        try await SettingAvailability(context)(identifier, of: bundleIdentifier, isNotSoldIn: countries)
    }

    /// Sets a product's base price, or its price in one storefront; `nil`
    /// removes the storefront's. Devices aren't notified.
    ///
    /// - Returns: The product with its new price.
    /// - Throws: The errors of `SettingPrice`.
    @discardableResult
    package func setPrice(
        product identifier: ProductIdentifier, of bundleIdentifier: BundleIdentifier, in country: String?,
        to decimal: String?
    ) async throws -> Product {
        try await SettingPrice(context)(identifier, of: bundleIdentifier, in: country, to: decimal)
    }
}
