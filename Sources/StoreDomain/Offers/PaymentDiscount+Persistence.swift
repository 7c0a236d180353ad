// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

extension PaymentDiscount {
    /// The text for the row of a request.
    var stored: String {
        get throws {
            try SortedJSON.text(self)
        }
    }

    /// Reads the text of a request's row.
    ///
    /// - Throws: `DatabaseError` for a text that this version can't read.
    init(stored text: String) throws {
        guard let discount = try? JSONDecoder().decode(PaymentDiscount.self, from: Data(text.utf8)) else {
            throw DatabaseError(.column, "The promotional offer of a request can't be read.")
        }
        self = discount
    }

    /// The failure of a payment by an account; `nil` when the account may use
    /// the offer.
    func refusal(for account: Account, _ product: Product, _ db: StoreTransaction) throws -> PurchaseFailure? {
        if kind == .winBack { return try refusalToWinBack(account, product, db) }
        guard try kind == .introductory || Subscription.exists(of: account.identifier, in: product.bundleIdentifier, db)
        else { return ineligible }
        return try refusalToAnother(than: account.identifier, in: product.bundleIdentifier, db)
    }

    private func refusalToWinBack(
        _ account: Account, _ product: Product, _ db: StoreTransaction
    ) throws -> PurchaseFailure? {
        guard let offer = product.offer(of: self), let plan = product.plan else { return nil }
        let history = try WinBackHistory.find(plan, of: account.identifier, in: product.bundleIdentifier, db)
        let reason = history.refusal(of: offer, for: product.productIdentifier, at: account.time(at: db.now))
        return reason.map { PurchaseFailure(.ineligibleForOffer, "The offer \"\(identifier)\" \($0).") }
    }

    /// The failure of a payment whose JWS names the customer of another
    /// account: by a purchase in the app, or by the app transaction, which an
    /// account without purchases has too (Apple's server libraries).
    private func refusalToAnother(
        than account: AccountIdentifier, in bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> PurchaseFailure? {
        guard let transaction = transactionOfCustomer,
            try Purchase.find(transaction, of: account, db)?.bundleIdentifier != bundleIdentifier,
            try AppTransaction.identifier(of: bundleIdentifier, account, db) != transaction
        else { return nil }
        return isForAnotherCustomer(than: transaction)
    }
}
