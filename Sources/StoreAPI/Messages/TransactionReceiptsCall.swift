// SPDX-License-Identifier: Apache-2.0

/// Asks for the receipts of single transactions of one app: what apps get as
/// `transactionReceipt`.
package struct TransactionReceiptsCall: AppCall, Hashable {
    package static let path = StorePath.transactionReceipts
    /// How many transactions a message may name.
    package static let limit = 100

    @Limited<Identifier> package var bundleIdentifier: String
    @Limited<AppText> package var applicationVersion: String
    /// The store's numbers of what was bought or restored.
    @Limited<TransactionIdentifiers> package var transactions: [String]

    package init(bundleIdentifier: String, applicationVersion: String, transactions: [String]) {
        self.bundleIdentifier = bundleIdentifier
        self.applicationVersion = applicationVersion
        self.transactions = transactions
    }

    package struct Answer: Codable, Sendable, Hashable {
        /// The account that is signed in on the device; `nil` for none.
        package var account: String?
        /// The receipts, base64, by the transactions' numbers. What isn't the
        /// account's, or not bought on or restored to this device, has none.
        package var receipts: [String: String]

        package init(account: String? = nil, receipts: [String: String] = [:]) {
            self.account = account
            self.receipts = receipts
        }
    }
}
