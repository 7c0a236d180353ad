// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The history that causes a notification: the actions of a customer and a seller, and time
/// that passes, in this order. The last step causes it.
package enum TriggerRecipe {
    /// A product of the app's catalogue, by its part in a history.
    package enum Part: Hashable, Sendable {
        /// A subscription, the lower one of a group with several levels.
        case subscription
        /// A subscription of a higher level in the same group.
        case higher
        /// A consumable, or another product that isn't a subscription.
        case oneTime
        /// A consumable or a subscription, with a price.
        case consumed
        /// A product that a family shares.
        case shared
    }

    package enum Step: Hashable, Sendable {
        case buy(Part)
        /// Buys with the product's first promotional offer.
        case buyWithOffer(Part)
        case choose(Part)
        case setRenewal(Bool)
        case renewNow
        /// Sets the tester's grace period.
        case setGrace(days: Int)
        case setCharges(declined: Bool)
        /// Lets time pass, from event to event, until the notification is
        /// there.
        case wait
        /// Lets time pass until another notification is there.
        case waitFor(NotificationKind)
        case extend
        case extendSubscribers
        case askForConsent
        case answerConsent(agrees: Bool)
        /// Lets the tester's renewals end as if the product weren't sold any
        /// more.
        case stopSelling
        /// Closes the account just before the end of the period.
        case closeAccount
        case askForRefund
        case declineRefund
        case refund
        case reverseRefund
        case joinFamily
        case leaveFamily
        case orderTest
    }

    /// The histories of all notifications that a store causes.
    package static let all: [NotificationKind: [Step]] = [
        .firstSubscription: [.buy(.subscription)],
        .resubscription: [.buy(.subscription), .setRenewal(false), .waitFor(.expiredVoluntarily), .buy(.subscription)],
        .renewal: [.buy(.subscription), .renewNow],
        .recovery: [.buy(.subscription), .setCharges(declined: true), .renewNow, .setCharges(declined: false), .wait],
        .upgrade: [.buy(.subscription), .buy(.higher)],
        .downgrade: [.buy(.higher), .choose(.subscription)],
        .planKept: [.buy(.higher), .choose(.subscription), .choose(.higher)],
        .offerRedeemed: [.buy(.subscription), .buyWithOffer(.subscription)],
        .offerUpgrade: [.buy(.subscription), .buyWithOffer(.higher)],
        .offerDowngrade: [.buy(.higher), .buyWithOffer(.subscription)],
        .renewalDisabled: [.buy(.subscription), .setRenewal(false)],
        .renewalEnabled: [.buy(.subscription), .setRenewal(false), .setRenewal(true)],
        .failure: [.setGrace(days: 0), .buy(.subscription), .setCharges(declined: true), .wait],
        .grace: [.setGrace(days: 16), .buy(.subscription), .setCharges(declined: true), .wait],
        .graceEnd: [.setGrace(days: 16), .buy(.subscription), .setCharges(declined: true), .wait],
        .expiredVoluntarily: [.buy(.subscription), .setRenewal(false), .wait],
        .expiredUnpaid: [.setGrace(days: 0), .buy(.subscription), .setCharges(declined: true), .wait],
        .expiredForPrice: [.buy(.subscription), .askForConsent, .answerConsent(agrees: false), .wait],
        .expiredUnsold: [.buy(.subscription), .stopSelling, .wait],
        .expired: [.buy(.subscription), .closeAccount],
        .extended: [.buy(.subscription), .extend],
        .extensionSummary: [.buy(.subscription), .extendSubscribers],
        .extensionFailure: [.buy(.subscription), .extend, .extend, .extendSubscribers],
        .consentPending: [.buy(.subscription), .askForConsent],
        .consentGiven: [.buy(.subscription), .askForConsent, .answerConsent(agrees: true)],
        .oneTimeCharge: [.buy(.oneTime)],
        .consumptionRequest: [.buy(.consumed), .askForRefund],
        .refundDeclined: [.buy(.oneTime), .askForRefund, .declineRefund],
        .refund: [.buy(.oneTime), .refund],
        .refundReversed: [.buy(.oneTime), .refund, .reverseRefund],
        .revocation: [.joinFamily, .buy(.shared), .leaveFamily],
        .test: [.orderTest],
    ]

    /// The names of all kinds, such as `DID_RENEW/BILLING_RECOVERY`, in their
    /// order.
    package static var names: [String] { all.keys.map(\.name).sorted() }
}
