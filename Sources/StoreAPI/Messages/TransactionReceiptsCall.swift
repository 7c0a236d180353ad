// SPDX-License-Identifier: Apache-2.0

/// Asks for the receipts of single transactions of one app, which apps read
/// as `transactionReceipt`.
package struct TransactionReceiptsCall: AppCall, Hashable {
    package static let path = StorePath.transactionReceipts
    /// The largest number of transactions in a call.
    package static let limit = 100

    @Limited<Identifier> package var bundleIdentifier: String
    /// The app's version, which is written into the receipts.
    @Limited<AppText> package var applicationVersion: String
    /// The identifiers of purchased or restored transactions.
    @Limited<TransactionIdentifiers> package var transactions: [String]

    package init(bundleIdentifier: String, applicationVersion: String, transactions: [String]) {
        self.bundleIdentifier = bundleIdentifier
        self.applicationVersion = applicationVersion
        self.transactions = transactions
    }

    /// The receipts that the store can issue for the call.
    package struct Answer: Codable, Sendable, Hashable {
        /// The account that is signed in on the device; `nil` for none.
        package var account: String?
        /// The receipts in base64, by the transactions' identifiers. A
        /// transaction has none if it is of another account or app, was
        /// restored to another device, or is dated outside of the validity of
        /// the store's certificates.
        package var receipts: [String: String]

        package init(account: String? = nil, receipts: [String: String] = [:]) {
            self.account = account
            self.receipts = receipts
        }
    }
}
