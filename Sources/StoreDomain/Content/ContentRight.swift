// SPDX-License-Identifier: Apache-2.0

/// Whether a purchase gives its account the right to download the product's
/// content now.
enum ContentRight: Hashable, Sendable {
    case owned
    /// The reason, for the developer of the app.
    case notOwned(String)

    /// Decides at a moment. `subscription` is the state of the one that the
    /// purchase is a period of; `nil` for every other purchase. A shared period
    /// is one of another account's subscription, and decides alone.
    init(of purchase: Purchase, subscription: SubscriptionState?, at moment: StoreTime) {
        if purchase.revoked != nil {
            self = .notOwned("The purchase was refunded.")
        } else if purchase.share != nil, let term = purchase.term {
            self =
                term.expires > moment && !term.isUpgraded
                ? .owned : .notOwned("The shared subscription has ended, or is one to another product now.")
        } else if purchase.kind == .autoRenewable {
            let isPaid = subscription.map { [.active, .billingGracePeriod].contains($0.status(at: moment)) } ?? false
            self =
                isPaid && subscription?.period.product == purchase.productIdentifier
                ? .owned : .notOwned("The subscription has ended, or is one to another product now.")
        } else if !purchase.isInReceipt {
            // A consumable that the app has finished is used up.
            self = .notOwned("The transaction is finished.")
        } else {
            self = .owned
        }
    }

    /// - Throws: ``DomainError`` `contentNotOwned`.
    func require() throws {
        if case .notOwned(let reason) = self { throw DomainError(.contentNotOwned, reason) }
    }
}
