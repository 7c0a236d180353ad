// SPDX-License-Identifier: Apache-2.0

import Logging
import StoreCore
package import StoreDomain

/// The purchases of a team's apps in Connect.
extension StoreService {
    /// The use cases that list and search purchases.
    package var teamPurchases: ReadingTeamPurchases { ReadingTeamPurchases(context) }

    /// The use case that reads the contacts that customers have shared with a team.
    package var teamContacts: ReadingTeamContacts { ReadingTeamContacts(context) }

    /// A purchase with everything that is recorded about it, and its signed
    /// transaction.
    ///
    /// - Throws: The errors of `ReadingPurchaseRecord` and `SigningPayloads`.
    package func purchaseRecord(
        _ transaction: TransactionIdentifier, as user: TeamUser
    ) async throws -> (record: PurchaseRecord, signed: String?) {
        let record = try await ReadingPurchaseRecord(context)(transaction, as: user)
        return (record, try await SigningPayloads(context, authority: authority)([record.purchase]).first)
    }

    /// A new identifier for a form's refund, so that a form that is sent twice
    /// refunds once.
    package func drawRefundIdentifier() -> String { context.random.hexadecimal(bytes: 16) }

    /// Refunds a purchase of a team's app: the rest of its price for an empty
    /// amount, or a decimal such as `0.99` in the purchase's currency. A call
    /// that is repeated with its identifier, 16 bytes in lower-case
    /// hexadecimal, changes nothing.
    ///
    /// - Throws: `DomainError` `invalid` for an identifier of another form, and
    ///   the errors of `RefundingTeamPurchase`.
    package func refund(
        _ transaction: TransactionIdentifier, amount: String, identifier: String, by user: TeamUser
    ) async throws {
        try requireCurrentSchema()
        guard identifier.isHexadecimal(bytes: 16) else {
            throw DomainError(.invalid, "The identifier of a refund is 16 bytes in lower-case hexadecimal.")
        }
        let failure = try await RefundingTeamPurchase(context)(
            transaction, amount: amount, identifier: RefundIdentifier(identifier), by: user)
        if let failure {
            logger.warning("a refund is due", metadata: ["transaction": "\(transaction)", "error": "\(failure)"])
        }
    }

    /// Makes another attempt due for each delivery of a notification about a
    /// purchase.
    ///
    /// - Throws: The errors of `RefundingTeamPurchase`.
    package func resend(
        _ notification: String, about transaction: TransactionIdentifier, by user: TeamUser
    ) async throws {
        try requireCurrentSchema()
        try await RefundingTeamPurchase(context).sendAgain(notification, about: transaction, by: user)
    }
}
