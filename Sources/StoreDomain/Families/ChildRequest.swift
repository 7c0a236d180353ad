// SPDX-License-Identifier: Apache-2.0

package import StoreCore

/// A request to buy of a family's member, as a parent sees it before the
/// answer.
package struct ChildRequest: Hashable, Sendable {
    /// The number of the future purchase.
    package var transaction: TransactionIdentifier
    /// The member who asks.
    package var child: FamilyMember
    package var app: App
    /// `nil` for a product that the store doesn't have any more.
    package var product: Product?
    package var productIdentifier: ProductIdentifier
    package var quantity: Int
    package var storefront: Storefront
    /// When the request began to wait, in the time of the family.
    package var asked: StoreTime
    /// The end of the time for an answer; `nil` without an end.
    package var until: StoreTime?
    /// The consequence of an approval now.
    package var outcome: Outcome

    /// The consequence of an approval.
    package enum Outcome: Hashable, Sendable {
        /// The product is bought, or chosen for a later period, on these terms,
        /// with those of a subscription.
        case buys(ShownTerms, SubscriptionTerms?)
        /// The request would fail, for example because the product was
        /// withdrawn.
        case fails(PurchaseFailure)
        /// Another payment for the product is under way.
        case waits
    }
}
