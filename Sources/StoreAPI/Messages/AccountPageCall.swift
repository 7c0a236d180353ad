// SPDX-License-Identifier: Apache-2.0

/// Asks for a page of the customer's account, which an app shows (StoreKit 2).
package struct AccountPageCall: AppCall, Hashable {
    package static let path = StorePath.accountPage

    @Limited<Identifier> package var bundleIdentifier: String
    /// The name of the page.
    @Limited<Identifier> package var page: String
    /// The purchase that a page is about, or a child's future one; `nil` for a page of the account.
    @Limited<Optionally<Identifier>> package var transactionIdentifier: String?

    package init(bundleIdentifier: String, page: Page, transactionIdentifier: String? = nil) {
        self.bundleIdentifier = bundleIdentifier
        self.page = page.rawValue
        self.transactionIdentifier = transactionIdentifier
    }

    /// The page that is asked for.
    package var kind: Page { Page(rawValue: page) }

    /// A page of the account. The answer to a page without a constant here has no
    /// address.
    package struct Page: RawRepresentable, Sendable, Hashable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The subscriptions.
        package static let subscriptions = Page(rawValue: "subscriptions")
        /// The payment method.
        package static let payment = Page(rawValue: "payment")
        /// The form on which the customer asks for a refund of a purchase.
        package static let refund = Page(rawValue: "refund")
        /// The page of the family, for a parent whose answer a child's request waits for.
        package static let family = Page(rawValue: "family")
    }

    /// The page.
    package struct Answer: Codable, Sendable, Hashable {
        /// The page's address; `nil` when the store has no such page, for a
        /// purchase that isn't one of the account that is signed in, and for a
        /// child's request that doesn't wait for its answer.
        package var page: String?
        /// The customer's request for a refund; `nil` for another page.
        package var refund: RefundInfo?

        package init(page: String? = nil, refund: RefundInfo? = nil) {
            self.page = page
            self.refund = refund
        }
    }
}

/// The state of the customer's requests for a refund of a purchase.
package struct RefundInfo: Codable, Sendable, Hashable {
    /// The newest request; `nil` without one.
    package var request: String?
    /// Whether the newest request waits for a decision.
    package var waits: Bool
    /// Whether the price can be given back: it isn't 0, and wasn't given back
    /// before.
    package var isEligible: Bool

    package init(request: String? = nil, waits: Bool = false, isEligible: Bool = true) {
        self.request = request
        self.waits = waits
        self.isEligible = isEligible
    }
}
