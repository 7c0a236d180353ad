// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads since when a customer has an app, for a seller's server.
package struct ReadingServedApp: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The app of the account that has made a purchase in it.
    ///
    /// Without a record of its first use, which older stores lack, the purchase
    /// shows since when the account has it at least.
    ///
    /// - Throws: The errors of ``FindingServedPurchase``.
    package func callAsFunction(
        of transaction: TransactionIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws -> ServedApp {
        try await read { db in
            let found = try FindingServedPurchase.find(transaction, in: bundleIdentifier, db)
            let account = found.purchase.account
            if let got = try ServedApp.bought(bundleIdentifier, by: account, db) { return got }
            let used = try DeviceApp.firstUse(of: bundleIdentifier, account: account, db).map(found.clock.time(at:))
            let bought = found.purchase.originalDate
            return ServedApp(
                bundleIdentifier: bundleIdentifier, downloaded: min(used ?? bought, bought))
        }
    }
}

extension ServedApp {
    /// The app as an account has got it on its page; `nil` for one that was got
    /// elsewhere.
    static func bought(
        _ bundleIdentifier: BundleIdentifier, by account: AccountIdentifier, _ db: StoreTransaction
    ) throws -> ServedApp? {
        guard let (purchase, item) = try ItemPurchase.find(app: bundleIdentifier, of: account, db) else { return nil }
        return ServedApp(bundleIdentifier: bundleIdentifier, downloaded: purchase.originalDate, version: item.version)
    }
}
