// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads a purchase of a team's app with everything that is recorded about it.
package struct ReadingPurchaseRecord: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The record of a transaction.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`, also for a
    ///   transaction of another team's app.
    package func callAsFunction(_ transaction: TransactionIdentifier, as user: TeamUser) async throws -> PurchaseRecord
    {
        try user.require(.seeTransactions)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeTransactions, db)
            let (purchase, app) = try Purchase.known(transaction, of: actor.team, db)
            return try Self.record(of: purchase, app, for: actor.team, db)
        }
    }

    private static func record(
        of purchase: Purchase, _ app: AppRegistration, for team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> PurchaseRecord {
        let payment = try Payment.of(purchase, db)
        let account = try Account.findOpen(purchase.account, db)
        let limit = PurchaseRecord.limit
        let others = try Purchase.of(original: purchase.originalTransactionIdentifier, limit: limit * 10, db)
            .filter { $0.transactionIdentifier != purchase.transactionIdentifier }
            .sorted { $0.position > $1.position }
        return PurchaseRecord(
            purchase: purchase, app: app, account: account,
            customersView: try account.map { _ in try ReadingPurchaseHistory.whole(purchase, db) },
            accountToken: try AccountToken.all(
                of: [purchase.originalTransactionIdentifier], account: purchase.account, db
            ).first?.token ?? purchase.applicationUsername,
            isUnfinished: try purchase.isUnfinished(db),
            events: try AccountEvent.of(purchase, limit: limit, db).reversed(),
            ledger: try payment.map { try LedgerEntry.of($0, db) } ?? [], left: payment?.left,
            notifications: try ListingNotifications.listed(
                try StoreNotification.about(purchase, limit: limit, db), for: team, db),
            others: Array(others.prefix(limit)))
    }
}

extension Purchase {
    /// A purchase of a team's app, with the app.
    ///
    /// - Throws: ``DomainError`` `notFound`, also for one of another team's app.
    static func known(
        _ transaction: TransactionIdentifier, of team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> (purchase: Purchase, app: AppRegistration) {
        guard !transaction.rawValue.utf8.contains(0), let purchase = try find(transaction, db),
            try AppRegistration.has(purchase.bundleIdentifier, team, db)
        else { throw DomainError(.notFound, "The team's apps have no such transaction.") }
        return (purchase, try AppRegistration.known(purchase.bundleIdentifier, of: team, db))
    }
}
