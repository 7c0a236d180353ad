// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Refunds a purchase of a team's app, and sends its notifications again, for
/// a user of Connect.
package struct RefundingTeamPurchase: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Refunds the rest of a purchase's price for an empty amount, or a part of
    /// it: a decimal such as `0.99`. A call that is repeated with its identifier
    /// changes nothing.
    ///
    /// - Returns: Why the money isn't given back yet; `nil` when it is.
    /// - Throws: ``DomainError`` `forbidden`; ``InvalidFields`` for an amount of
    ///   another form, or larger than the rest; the other errors of
    ///   ``RefundingPurchase``.
    package func callAsFunction(
        _ transaction: TransactionIdentifier, amount: String = "", identifier: RefundIdentifier, by user: TeamUser
    ) async throws -> (any Error)? {
        try user.require(.refundPurchases)
        let milliunits = try Self.milliunits(amount)
        try await require(transaction, user, .refundPurchases)
        do {
            return try await RefundingPurchase(context)(
                transaction, amount: milliunits, identifier: identifier,
                authorise: { db in try Self.authorise(transaction, user, .refundPurchases, db) },
                note: { refunded, db in
                    try TeamChange.append(
                        .purchaseRefunded, of: transaction.rawValue, to: "\(refunded.decimal) \(refunded.currency)",
                        by: user.email, in: user.team, db)
                }
            ).failure
        } catch let error as DomainError where error.code == .refundTooLarge {
            throw InvalidFields(problems: [FieldProblem(field: "amount", kind: .tooLarge)])
        }
    }

    private static func milliunits(_ amount: String) throws -> Int64? {
        let typed = amount.trimmingWhitespace()
        guard !typed.isEmpty else { return nil }
        guard let milliunits = try? Money.milliunits(of: typed), milliunits > 0 else {
            throw InvalidFields(problems: [FieldProblem(field: "amount", kind: .malformed)])
        }
        return milliunits
    }

    /// Makes another attempt due for each delivery, which the team sees, of a
    /// notification about a transaction.
    ///
    /// - Throws: ``DomainError`` `forbidden`, and the errors of
    ///   ``ListingNotifications/sendAgain(_:for:authorise:)``.
    package func sendAgain(
        _ notification: String, about transaction: TransactionIdentifier, by user: TeamUser
    ) async throws {
        try user.require(.resendNotifications)
        try await require(transaction, user, .resendNotifications)
        try await ListingNotifications(context).sendAgain(notification, for: user.team) { db in
            try Self.authorise(transaction, user, .resendNotifications, db)
            let purchase = try Purchase.known(transaction, of: user.team, db).purchase
            guard let found = try StoreNotification.find(notification, db),
                found.bundleIdentifier == purchase.bundleIdentifier,
                found.original == purchase.originalTransactionIdentifier
            else { throw DomainError(.notFound, "The transaction has no such notification.") }
            try TeamChange.append(
                .notificationResent, of: transaction.rawValue, to: found.kind.type, by: user.email, in: user.team, db)
        }
    }

    /// Refuses an unknown transaction before anything is asked of a payment
    /// provider.
    private func require(
        _ transaction: TransactionIdentifier, _ user: TeamUser, _ action: TeamAction
    ) async throws {
        try await read { db in
            _ = try TeamUser.acting(user, may: action, db)
            _ = try Purchase.known(transaction, of: user.team, db)
        }
    }

    private static func authorise(
        _ transaction: TransactionIdentifier, _ user: TeamUser, _ action: TeamAction, _ db: StoreTransaction
    ) throws {
        try Team.hold(user.team, db)
        _ = try TeamUser.acting(user, may: action, db)
        _ = try Purchase.known(transaction, of: user.team, db)
    }
}
