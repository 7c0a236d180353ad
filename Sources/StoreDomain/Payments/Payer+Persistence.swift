// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The transactions that read a payer have locked the account of the owner. A
/// payer who is another account is locked too: it is closed, is barred or
/// leaves the family before this transaction reads it, or after the commit. A
/// change of a family may lock both in another order: PostgreSQL ends one of the
/// two transactions then, which runs again.
extension Payer {
    /// Reads the payer of a purchase, once more after its payment was agreed
    /// to.
    static func find(
        _ payer: AccountIdentifier, for owner: AccountIdentifier, _ db: StoreTransaction
    ) throws -> Payer {
        let account = try Account.findOpen(owner, db)
        return Payer(try payer == owner ? account : locked(payer, db), for: account)
    }

    /// Reads the payer of a subscription's next period: the account that has
    /// agreed to it when the newest period was bought, or its plan chosen.
    /// `subscriber` is `nil` for a closed account.
    static func find(
        renewing subscription: Subscription, for subscriber: Account?, _ db: StoreTransaction
    ) throws -> Payer {
        guard let subscriber else { return .hasLeft }
        guard let payer = subscription.payer, payer != subscriber.identifier else {
            return Payer(subscriber, renewingFor: subscriber, in: nil)
        }
        let account = try locked(payer, db)
        return Payer(account, renewingFor: subscriber, in: try Family.of(subscriber.identifier, db))
    }

    private static func locked(_ payer: AccountIdentifier, _ db: StoreTransaction) throws -> Account? {
        try Account.hold(payer, db) ? Account.findOpen(payer, db) : nil
    }
}
