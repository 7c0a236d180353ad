// SPDX-License-Identifier: Apache-2.0

/// Asks for the signed transactions of the account that is signed in on the
/// device, in the order of their newest changes, and for the renewals of its
/// subscriptions (StoreKit 2).
///
/// The device repeats the call with the place of the answer until the answer
/// has no more pages.
package struct SignedTransactionsCall: AppCall, Hashable {
    package static let path = StorePath.signedTransactions

    @Limited<Identifier> package var bundleIdentifier: String
    /// The app's version, which is written into the app transaction.
    @Limited<AppText> package var applicationVersion: String
    /// The account of the transactions that the device has; `nil` when it has
    /// none.
    @Limited<Optionally<Identifier>> package var account: String?
    /// The place after which the page begins. The store ignores it when
    /// another account is signed in: the page is then the first one.
    @Limited<Optionally<PlaceText>> package var after: String?

    package init(bundleIdentifier: String, applicationVersion: String, account: String? = nil, after: String? = nil) {
        self.bundleIdentifier = bundleIdentifier
        self.applicationVersion = applicationVersion
        self.account = account
        self.after = after
    }

    /// A page of signed transactions.
    package struct Answer: Codable, Sendable, Hashable {
        /// The position up to which the pages are complete, once the last one
        /// is read; `nil` when no account is signed in.
        package var position: EventPosition?
        /// The transactions, the oldest change first.
        package var transactions: [SignedTransactionInfo]
        /// The place after which the next page begins.
        @Limited<Optionally<PlaceText>> package var next: String?
        /// Whether there are more pages.
        package var hasMore: Bool
        /// The renewals of all subscriptions; `nil` before the last page.
        package var renewals: [SignedRenewalInfo]?
        /// The signed app transaction; `nil` before the last page.
        package var app: String?

        package init(
            position: EventPosition? = nil, transactions: [SignedTransactionInfo] = [], next: String? = nil,
            hasMore: Bool = false, renewals: [SignedRenewalInfo]? = nil, app: String? = nil
        ) {
            self.position = position
            self.transactions = transactions
            self.next = next
            self.hasMore = hasMore
            self.renewals = renewals
            self.app = app
        }
    }
}

/// A transaction with the store's signature. The identifiers beside it
/// address it in the device's journal; an app reads the signed values only.
package struct SignedTransactionInfo: Codable, Sendable, Hashable {
    @Limited<Identifier> package var transactionIdentifier: String
    @Limited<Identifier> package var productIdentifier: String
    /// The JWS.
    package var signed: String
    /// Whether it is a consumable that the app has finished.
    package var isConsumed: Bool?

    package init(transactionIdentifier: String, productIdentifier: String, signed: String, isConsumed: Bool? = nil) {
        self.transactionIdentifier = transactionIdentifier
        self.productIdentifier = productIdentifier
        self.signed = signed
        self.isConsumed = isConsumed
    }
}

/// The renewal of a subscription with the store's signature.
package struct SignedRenewalInfo: Codable, Sendable, Hashable {
    /// The transaction of the newest period.
    @Limited<Identifier> package var transactionIdentifier: String
    /// The group of the subscription.
    @Limited<Identifier> package var groupIdentifier: String
    /// The JWS.
    package var signed: String

    package init(transactionIdentifier: String, groupIdentifier: String, signed: String) {
        self.transactionIdentifier = transactionIdentifier
        self.groupIdentifier = groupIdentifier
        self.signed = signed
    }
}
