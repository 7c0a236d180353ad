// SPDX-License-Identifier: Apache-2.0

/// A seller's order to extend the subscriptions of all subscribers of a
/// product, with its progress.
package struct MassExtension: Hashable, Sendable {
    package var bundleIdentifier: BundleIdentifier
    package var product: ProductIdentifier
    package var order: RenewalExtension
    /// The country codes of the storefronts; empty for all.
    package var storefronts: Set<String>
    package var created: WallTime
    /// The subscription after which it goes on; `nil` before the first one.
    var place: OriginalTransactionIdentifier?
    /// The subscriptions that were extended.
    package var succeeded = 0
    /// The subscriptions that can't be extended.
    package var failed = 0
    /// When all subscriptions were read; `nil` while some aren't.
    package var completed: WallTime?

    /// The most orders of an app that aren't complete. A product has one.
    static let mostOfAnApp = 20

    /// Whether another order of the same identifier has the same values.
    func isRepeated(by other: MassExtension) -> Bool {
        order == other.order && storefronts == other.storefronts
    }

    /// The progress after a page, at a moment.
    func after(_ page: ExtendingSubscription.Page, at moment: WallTime) -> MassExtension {
        var next = self
        next.succeeded += page.extended.count
        next.failed += page.refused.count
        next.place = page.next ?? place
        if page.next == nil { next.completed = moment }
        return next
    }
}
