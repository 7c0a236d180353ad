// SPDX-License-Identifier: Apache-2.0

/// The purchases that a seller's server asks for.
package struct PurchaseFilter: Hashable, Sendable {
    /// The first moment of the purchase date.
    package var start: StoreTime?
    /// The moment before which the purchase date is.
    package var end: StoreTime?
    /// Empty for all products.
    package var products: Set<ProductIdentifier> = []
    /// Empty for all kinds.
    package var kinds: Set<Product.Kind> = []
    /// The groups of subscriptions; empty for all purchases.
    package var groups: Set<SubscriptionGroupIdentifier> = []
    /// Whether only revoked purchases are asked for, or only others; `nil` for
    /// both.
    package var revoked: Bool?
    /// Whether consumables that were finished and not revoked are left out, as
    /// the first version of the endpoint leaves them out.
    package var omitsFinishedConsumables = false
    /// Whether only purchases that a member of the family shares are asked
    /// for, or only others; `nil` for both.
    package var isShared: Bool?
    /// Whether only purchases of seats that were assigned are asked for: the store sells none.
    package var isAssigned = false

    package init() {}

    /// The refunds that the store has approved. A shared purchase is revoked
    /// without a refund when its owner stops sharing it.
    package static let refunded: PurchaseFilter = {
        var filter = PurchaseFilter()
        filter.revoked = true
        filter.isShared = false
        return filter
    }()

    /// Whether a purchase is asked for.
    func matches(_ purchase: Purchase) -> Bool {
        if isAssigned { return false }
        if let isShared, isShared != (purchase.share != nil) { return false }
        let date = purchase.date.wholeSeconds  // as sellers see it
        if let start, date < start { return false }
        if let end, date >= end { return false }
        if !products.isEmpty, !products.contains(purchase.productIdentifier) { return false }
        if !kinds.isEmpty, !kinds.contains(purchase.kind) { return false }
        if !groups.isEmpty, !(purchase.term.map { groups.contains($0.group) } ?? false) { return false }
        if let revoked, revoked != (purchase.revoked != nil) { return false }
        return !omitsFinishedConsumables || purchase.kind != .consumable || purchase.isInReceipt
            || purchase.revoked != nil
    }
}
