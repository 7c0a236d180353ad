// SPDX-License-Identifier: Apache-2.0

/// What `/verifyReceipt` knows besides the receipt that it is asked about.
package struct VerifyReceiptConfiguration: Sendable {
    /// The secret that an app's seller sends as `password`; nil if the app has
    /// none, and then any is right.
    package var sharedSecret: @Sendable (_ bundleIdentifier: String) async throws -> String?
    /// What became of transactions since they were put into a receipt, by
    /// their identifiers. Those that the store has never heard of are left
    /// out: receipts are also made by hand.
    package var purchases: @Sendable (_ transactionIdentifiers: [String]) async throws -> [String: PurchaseState]

    package init(
        sharedSecret: @escaping @Sendable (_ bundleIdentifier: String) async throws -> String? = { _ in nil },
        purchases: @escaping @Sendable (_ transactionIdentifiers: [String]) async throws -> [String: PurchaseState] = {
            _ in [:]
        }
    ) {
        self.sharedSecret = sharedSecret
        self.purchases = purchases
    }

    /// What became of one transaction.
    package struct PurchaseState: Hashable, Sendable {
        /// Whether a receipt of now would still list it: consumables leave
        /// once they are finished.
        package var isInReceipt: Bool
        /// Whether its account still exists.
        package var hasAccount: Bool

        package init(isInReceipt: Bool, hasAccount: Bool = true) {
            self.isInReceipt = isInReceipt
            self.hasAccount = hasAccount
        }
    }
}
