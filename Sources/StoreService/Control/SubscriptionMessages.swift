// SPDX-License-Identifier: Apache-2.0

/// The messages about subscriptions. Moments are texts in the form of ISO
/// 8601, with whole seconds in UTC.
extension Control {
    package struct SubscriptionsCall: Codable, Sendable {
        package var email: String
        /// The bundle identifier of an app; absent for all apps.
        package var bundle: String?

        package init(email: String, bundle: String? = nil) {
            self.email = email
            self.bundle = bundle
        }
    }

    package struct SubscriptionsAnswer: Codable, Sendable {
        package var subscriptions: [SubscriptionAnswer]
    }

    /// A subscription at the account's time.
    package struct SubscriptionAnswer: Codable, Sendable {
        /// The first transaction of the subscription.
        package var subscription: String
        package var bundle: String
        package var group: String
        /// The current product.
        package var product: String
        /// `active`, `expired`, `billing retry`, `grace period` or `revoked`.
        package var status: String
        /// The end of the current period.
        package var paidUntil: String
        /// The end of the grace period, while the charge is retried.
        package var graceUntil: String?
        /// The end of the retry, while the charge is retried.
        package var retryUntil: String?
        package var renews: Bool
        /// The product of the next period; absent when it doesn't renew.
        package var nextProduct: String?
        /// Why it ended or is about to: the numbers of `expiration_intent`.
        package var expirationIntent: Int?
        /// The transaction of the current period.
        package var transaction: String
        /// The higher price of which the customer was informed, and that no period
        /// was paid at.
        package var priceIncrease: PriceIncreaseAnswer?
        /// The events since the current period has begun.
        package var events: [SubscriptionEventAnswer]
        /// The number of the request that waits for a parent, because the account
        /// asks before each purchase and would pay more after the call; absent when
        /// the call is carried out.
        package var request: String?
    }

    /// Turns the renewal of a subscription on or off.
    package struct SetRenewalCall: Codable, Sendable {
        /// Any transaction of the subscription.
        package var transaction: String
        package var renews: Bool

        package init(transaction: String, renews: Bool) {
            self.transaction = transaction
            self.renews = renews
        }
    }

    /// Extends the running period of a subscription.
    package struct ExtendSubscriptionCall: Codable, Sendable {
        /// Any transaction of the subscription.
        package var transaction: String
        /// 1 to 90.
        package var days: Int
        /// `undeclared`, `satisfaction`, `other` or `outage`.
        package var reason: String
        /// 1 to 128 bytes, by which a repeated call is recognised and carried
        /// out once.
        package var identifier: String

        package init(transaction: String, days: Int, reason: String, identifier: String) {
            self.transaction = transaction
            self.days = days
            self.reason = reason
            self.identifier = identifier
        }
    }

    /// Extends the running periods of all subscribers of a product. One call
    /// reads some of the store's subscriptions.
    package struct ExtendSubscribersCall: Codable, Sendable {
        package var bundle: String
        package var product: String
        /// 1 to 90.
        package var days: Int
        /// `undeclared`, `satisfaction`, `other` or `outage`.
        package var reason: String
        /// 1 to 128 bytes, the same for all pages. A repeated call extends no
        /// subscription again.
        package var identifier: String
        /// The `next` of the page before; absent for the first page.
        package var after: String?

        package init(
            bundle: String, product: String, days: Int, reason: String, identifier: String, after: String? = nil
        ) {
            self.bundle = bundle
            self.product = product
            self.days = days
            self.reason = reason
            self.identifier = identifier
            self.after = after
        }
    }

    package struct ExtendSubscribersAnswer: Codable, Sendable {
        /// Those that are extended, also by an earlier call.
        package var extended: [ExtendedAnswer]
        package var refused: [NotExtendedAnswer]
        /// The place at which the next page begins; absent on the last page.
        package var next: String?
    }

    /// A subscription whose running period was extended.
    package struct ExtendedAnswer: Codable, Sendable {
        /// The first transaction of the subscription.
        package var subscription: String
        /// The end of the period.
        package var until: String
    }

    /// A subscription that can't be extended.
    package struct NotExtendedAnswer: Codable, Sendable {
        /// The first transaction of the subscription.
        package var subscription: String
        /// The reason.
        package var message: String
    }

    /// Sets the grace period of an app; the answer is the same.
    package struct SetGracePeriodCall: Codable, Sendable {
        package var bundle: String
        /// 0, 3, 16 or 28.
        package var days: Int

        package init(bundle: String, days: Int) {
            self.bundle = bundle
            self.days = days
        }
    }
}
