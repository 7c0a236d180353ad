// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Takes a shared purchase away from a member of a family, without a refund.
///
/// The member doesn't get it again from the same account as long as both are
/// in the family: a later period of a subscription neither.
package struct RevokingShare: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Revokes the member's purchase, and the running periods of its
    /// subscription. Repeating it changes nothing.
    ///
    /// - Returns: The member's purchase.
    /// - Throws: ``DomainError``: `notFound`; `invalid` for a purchase that its
    ///   account has made itself.
    package func callAsFunction(_ transaction: TransactionIdentifier) async throws -> Purchase {
        let account = try await read { db in try Self.share(transaction, db).purchase.account }
        return try await write(for: account) { db in
            _ = try Account.hold(account, db)
            let (named, owner) = try Self.share(transaction, db)
            // A share that is given at the same time is found here, or sees the
            // revocation.
            try SharingWork.hold(owner, db)
            let now = try AccountClock.of(account, db).time(at: db.now)
            let chain = try Purchase.all(of: named.originalTransactionIdentifier, by: account, db)
            for share in chain where share.revoked == nil {
                let isNamed = share.transactionIdentifier == transaction
                if isNamed || (share.term?.expires ?? now) > now { try SharingPurchases.revoke(share, db) }
            }
            try Purchase.withdraw(named.originalTransactionIdentifier, from: account, db)
            return try Self.share(transaction, db).purchase
        }
    }

    private static func share(
        _ transaction: TransactionIdentifier, _ db: StoreTransaction
    ) throws -> (purchase: Purchase, owner: AccountIdentifier) {
        guard let purchase = try Purchase.find(transaction, db) else {
            throw DomainError(.notFound, "There is no purchase with the number \(transaction).")
        }
        guard let owner = purchase.share?.owner else {
            throw DomainError(
                .invalid,
                """
                \(transaction) isn't shared by another member of a family: refund it, or stop sharing it. Only a \
                shared purchase is revoked without a refund.
                """)
        }
        return (purchase, owner)
    }
}
