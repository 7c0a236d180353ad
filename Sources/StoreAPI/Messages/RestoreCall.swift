// SPDX-License-Identifier: Apache-2.0

/// Asks for one page of the account's restorable purchases.
///
/// The store fixes the list when it first answers a request identifier with a
/// page. A repeated page has the same transactions, except those that were
/// refunded since.
package struct RestoreCall: AppCall, Hashable {
    package static let path = StorePath.restore

    @Limited<RequestIdentifier> package var requestIdentifier: String
    @Limited<Identifier> package var bundleIdentifier: String
    @Limited<Optionally<Username>> package var applicationUsername: String?
    /// The page, counted from 0.
    @Limited<PageNumber> package var page: Int

    package init(requestIdentifier: String, bundleIdentifier: String, applicationUsername: String? = nil, page: Int) {
        self.requestIdentifier = requestIdentifier
        self.bundleIdentifier = bundleIdentifier
        self.applicationUsername = applicationUsername
        self.page = page
    }

    package struct Answer: Codable, Sendable, Hashable {
        /// Set when the customer has to sign in first: the address of the
        /// sign-in sheet. The same call gets the page after the customer has
        /// signed in.
        package var sheet: String?
        /// Set when the restore can't be completed, for example because the
        /// customer has closed the sign-in sheet. The restore ends with this
        /// error.
        package var failure: PaymentFailure?
        package var transactions: [TransactionInfo]
        /// `nil` after the last page.
        @Limited<NextPage> package var nextPage: Int?
        package var position: EventPosition?

        package init(
            sheet: String? = nil, failure: PaymentFailure? = nil, transactions: [TransactionInfo] = [],
            nextPage: Int? = nil, position: EventPosition? = nil
        ) {
            self.sheet = sheet
            self.failure = failure
            self.transactions = transactions
            self.nextPage = nextPage
            self.position = position
        }
    }
}
