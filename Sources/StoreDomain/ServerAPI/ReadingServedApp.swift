// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads since when a customer has an app, for a seller's server.
package struct ReadingServedApp: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The app of the account that a number names: that of a purchase in the
    /// app, or of the app transaction.
    ///
    /// Without a record of its first use, which older stores lack, the purchase
    /// shows since when the account has it at least.
    ///
    /// - Throws: The errors of ``FindingServedCustomer``.
    package func callAsFunction(
        of transaction: TransactionIdentifier, in bundleIdentifier: BundleIdentifier
    ) async throws -> ServedApp {
        try await read { db in
            let found = try FindingServedCustomer.find(transaction, in: bundleIdentifier, db)
            return try Self.find(bundleIdentifier, of: found.account, clock: found.clock, before: found.since, db)
        }
    }

    /// The app of an account that has it at a moment at least; `version` is that
    /// of the app on the device.
    static func find(
        _ bundleIdentifier: BundleIdentifier, version: String? = nil, of account: AccountIdentifier,
        clock: AccountClock, before moment: StoreTime, _ db: StoreTransaction
    ) throws -> ServedApp {
        let numbers = try AppNumbers.find(bundleIdentifier, version: version, db)
        var app: ServedApp
        if let got = try ServedApp.bought(bundleIdentifier, numbers, by: account, db) {
            app = got
        } else {
            let used = try DeviceApp.firstUse(of: bundleIdentifier, account: account, db).map(clock.time(at:))
            app = ServedApp(bundleIdentifier: bundleIdentifier, downloaded: min(used ?? moment, moment))
        }
        app.numbers = numbers
        app.transaction = try AppTransaction.identifier(of: bundleIdentifier, account, db)
        return app
    }
}

extension ServedApp {
    /// The app with its numbers as an account has got it on its page; `nil` for
    /// one that was got elsewhere.
    static func bought(
        _ bundleIdentifier: BundleIdentifier, _ numbers: AppNumbers, by account: AccountIdentifier,
        _ db: StoreTransaction
    ) throws -> ServedApp? {
        guard let number = numbers.item, let (purchase, item) = try ItemPurchase.find(item: number, of: account, db)
        else { return nil }
        return ServedApp(bundleIdentifier: bundleIdentifier, downloaded: purchase.originalDate, version: item.version)
    }
}
