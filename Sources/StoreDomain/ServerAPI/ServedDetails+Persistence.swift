// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ServedDetails {
    /// Reads the values of some purchases.
    static func of(_ purchases: [Purchase], _ db: StoreTransaction) throws -> ServedDetails {
        var details = ServedDetails()
        for (account, purchases) in Dictionary(grouping: purchases, by: \.account) {
            let originals = purchases.map(\.originalTransactionIdentifier)
            for token in try AccountToken.all(of: originals, account: account, db) {
                details.tokens[token.original, default: []].append(token)
            }
            for app in Set(purchases.map(App.init)) {
                details.apps[app] = try AppTransaction.identifier(of: app.bundleIdentifier, account, db)
            }
            let revoked = purchases.filter { $0.revoked != nil }.flatMap(refundable)
            for request in try RefundRequest.approved(of: revoked, account: account, db) where request.isAboutTheApp {
                details.problems.insert(request.transaction)
            }
        }
        return details
    }
}
