// SPDX-License-Identifier: Apache-2.0

/// The messages about the clocks of sandbox accounts. Moments are texts in the
/// form of ISO 8601, with whole seconds in UTC.
extension Control {
    package struct ClockCall: Codable, Sendable {
        package var email: String

        package init(email: String) {
            self.email = email
        }
    }

    /// The clock of an account.
    package struct ClockAnswer: Codable, Sendable {
        package var email: String
        /// The account's time.
        package var time: String
        /// The seconds by which it is ahead of the wall's time; negative when
        /// it is behind.
        package var offset: Int64
        /// The speed of the renewals, such as `real` or `month=5m`.
        package var speed: String
        /// The moment of the next event of a subscription; absent when none is
        /// known.
        package var nextEvent: String?
    }

    /// A change of an account's clock: one of `to`, `by`, `toNextEvent` and
    /// `speed`.
    package struct MoveClockCall: Codable, Sendable {
        package var email: String
        /// A moment, such as `2026-03-01T00:00:00Z` or `2026-03-01`.
        package var to: String?
        /// A length of time, such as `3d`, `12h` or `1y2w`.
        package var by: String?
        package var toNextEvent: Bool?
        package var speed: String?

        package init(
            email: String, to: String? = nil, by: String? = nil, toNextEvent: Bool? = nil, speed: String? = nil
        ) {
            self.email = email
            self.to = to
            self.by = by
            self.toNextEvent = toNextEvent
            self.speed = speed
        }
    }

    /// The clock after a change, and the first events that have followed.
    package struct MoveClockAnswer: Codable, Sendable {
        /// The account's time before the change.
        package var from: String
        package var clock: ClockAnswer
        package var page: SubscriptionEventsAnswer
    }

    /// The number of the last event of a subscription that a caller knows.
    package struct SubscriptionPosition: Codable, Sendable {
        package var subscription: String
        package var number: Int64

        package init(subscription: String, number: Int64) {
            self.subscription = subscription
            self.number = number
        }
    }

    /// Lists the events of an account's subscriptions.
    package struct SubscriptionEventsCall: Codable, Sendable {
        package var email: String
        /// The `next` of the page before; all events follow an empty list.
        package var after: [SubscriptionPosition]
        /// Whether the steps that are due are carried out first, for at most
        /// 20 seconds.
        package var waits: Bool?

        package init(email: String, after: [SubscriptionPosition] = [], waits: Bool? = nil) {
            self.email = email
            self.after = after
            self.waits = waits
        }
    }

    package struct SubscriptionEventsAnswer: Codable, Sendable {
        /// In order of their moments.
        package var events: [SubscriptionEventAnswer]
        /// The place at which the next page begins; absent on the last page.
        package var next: [SubscriptionPosition]?
    }

    /// A dated event of a subscription.
    package struct SubscriptionEventAnswer: Codable, Sendable {
        package var time: String
        /// Such as `renewed`, `renewal turned off` or `expired`.
        package var kind: String
        package var product: String
        /// The transaction that the event names, or that of the period in
        /// which it happened.
        package var transaction: String
        /// The first transaction of the subscription.
        package var subscription: String
        package var bundle: String
        /// The end of the period that has begun or was extended, or of the
        /// grace period.
        package var until: String?
        /// Why the subscription ended or its renewal was turned off: the
        /// numbers of `expiration_intent`.
        package var expirationIntent: Int?
    }
}
