// SPDX-License-Identifier: Apache-2.0

package import StoreCore

/// Asks for one page of the account's restorable purchases.
///
/// The store fixes the list when it first answers a request identifier with a
/// page. A repeated page has the same transactions, except those that were
/// refunded since.
package struct RestoreCall: AppCall, Hashable {
    package static let path = StorePath.restore

    @Limited<RequestIdentifierText> package var requestIdentifier: String
    @Limited<Identifier> package var bundleIdentifier: String
    /// The page, counted from 0.
    @Limited<PageNumber> package var page: Int

    package init(requestIdentifier: String, bundleIdentifier: String, page: Int) {
        self.requestIdentifier = requestIdentifier
        self.bundleIdentifier = bundleIdentifier
        self.page = page
    }

    /// A page of restored transactions, or the sheet or failure that replaces
    /// it.
    package struct Answer: Codable, Sendable, Hashable {
        /// Set when the customer has to sign in first: the address of the
        /// sign-in sheet. The same call gets the page after the customer has
        /// signed in.
        package var sheet: String?
        /// Set when the restore can't be completed, for example because the
        /// customer has closed the sign-in sheet. The restore ends with this
        /// error.
        package var failure: PurchaseFailure?
        /// The restored transactions of the page, in the order of the
        /// purchases' dates.
        package var transactions: [TransactionInfo]
        /// `nil` after the last page.
        @Limited<NextPage> package var nextPage: Int?
        /// The account's last event when the page was read; `nil` without a
        /// page.
        package var position: EventPosition?

        package init(
            sheet: String? = nil, failure: PurchaseFailure? = nil, transactions: [TransactionInfo] = [],
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
