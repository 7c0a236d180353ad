// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Looks up the customer whom a number names, for a seller's server: Apple's
/// `anyTransactionId`.
enum FindingServedCustomer {
    struct Customer: Hashable, Sendable {
        var account: AccountIdentifier
        /// The time of the account.
        var clock: AccountClock
        /// A moment at which the account had the app.
        var since: StoreTime
    }

    /// The customer of a purchase in an app, or of the app transaction.
    ///
    /// - Throws: ``ServerError``: `transactionNotFound` for an unknown number,
    ///   and one of another app; `accountNotFound` for a closed account.
    static func find(
        _ number: TransactionIdentifier, in bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> Customer {
        guard number.isOfApp(in: db.environment) else {
            let found = try FindingServedPurchase.find(number, in: bundleIdentifier, db)
            return Customer(account: found.purchase.account, clock: found.clock, since: found.purchase.originalDate)
        }
        guard let app = try AppTransaction.find(number, in: bundleIdentifier, db) else {
            throw ServerError.transactionNotFound
        }
        guard let account = try Account.findOpen(app.account, db) else { throw ServerError.accountNotFound }
        return Customer(account: app.account, clock: account.clock, since: account.time(at: app.created))
    }
}
