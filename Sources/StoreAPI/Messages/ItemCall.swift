// SPDX-License-Identifier: Apache-2.0

/// Asks for the page of an item, for `SKStoreProductViewController`.
package struct ItemCall: StoreCall, Hashable {
    package static let path = StorePath.item

    /// The number of the item.
    @Limited<ItemNumber> package var item: Int64

    package init(item: Int64) {
        self.item = item
    }

    /// The page of the item.
    package struct Answer: Codable, Sendable, Hashable {
        /// The page's address without a query; `nil` when there is no such
        /// item.
        package var page: String?
        /// The bundle identifier of an app; `nil` for another medium.
        package var bundleIdentifier: String?

        package init(page: String? = nil, bundleIdentifier: String? = nil) {
            self.page = page
            self.bundleIdentifier = bundleIdentifier
        }
    }
}

/// The names in the query of an item's page, besides those of
/// `CampaignTokens`. The page that has one of them is no public one.
package enum ItemQueryName {
    /// The promoted product that is shown before the others.
    package static let product = "product"
    /// A product of the order that the app has set on its device; once for
    /// each, in this order.
    package static let order = "order"
    /// A product that the app promotes on its device.
    package static let show = "show"
    /// A product that the app doesn't promote on its device.
    package static let hide = "hide"

    /// The largest number of values of all names together.
    package static let count = 100
}
