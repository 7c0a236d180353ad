// SPDX-License-Identifier: Apache-2.0

package import StoreCore

/// The parameters of an app that loads the page of an item.
package struct ItemPageRequest: Sendable, Hashable {
    /// The number of the item.
    package var item: Int64
    /// The promoted product that is shown before the others.
    package var product: String?
    package var tokens: CampaignTokens

    package init(item: Int64, product: String? = nil, tokens: CampaignTokens = CampaignTokens()) {
        self.item = item
        self.product = product
        self.tokens = tokens
    }
}
