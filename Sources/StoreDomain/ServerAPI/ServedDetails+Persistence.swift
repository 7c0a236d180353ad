// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ServedDetails {
    /// Reads the values of some purchases; those of the app transactions only if they are needed.
    static func of(
        _ purchases: [Purchase], withApps: Bool = true, _ db: StoreTransaction
    ) throws -> ServedDetails {
        var details = ServedDetails()
        for (account, purchases) in Dictionary(grouping: purchases, by: \.account) {
            let originals = purchases.map(\.originalTransactionIdentifier)
            for token in try AccountToken.all(of: originals, account: account, db) {
                details.tokens[token.original, default: []].append(token)
            }
            for app in withApps ? Set(purchases.map(App.init)) : [] {
                details.apps[app] = try AppTransaction.identifier(of: app.bundleIdentifier, account, db)
            }
            let revoked = purchases.filter { $0.revoked != nil }.flatMap(refundable)
            for request in try RefundRequest.approved(of: revoked, account: account, db) where request.isAboutTheApp {
                details.problems.insert(request.transaction)
            }
            for purchase in purchases where purchase.revoked != nil {
                // A member's reason is that of the refund of the purchase that was shared (*revocationReason*).
                guard let source = try refundedSource(of: purchase, db) else { continue }
                let reasons = try RefundRequest.approved(of: refundable(source), account: source.account, db)
                if reasons.contains(where: \.isAboutTheApp) { details.problems.insert(purchase.transactionIdentifier) }
            }
        }
        return details
    }

    /// The refunded purchase that was shared; `nil` for one that isn't a share, or whose sharing has ended in another way.
    private static func refundedSource(of purchase: Purchase, _ db: StoreTransaction) throws -> Purchase? {
        guard let share = purchase.share, let source = try Purchase.find(share.transaction, of: share.owner, db),
            source.revoked != nil
        else { return nil }
        return source
    }
}
