// SPDX-License-Identifier: Apache-2.0

extension NotificationKind {
    /// The notification of the last of a subscription's events; `nil` for an
    /// event that causes none.
    ///
    /// `isAlone` says that the event before the last one was saved earlier. A
    /// product that is chosen with an offer in one transaction causes
    /// `OFFER_REDEEMED` alone.
    static func caused(by events: ArraySlice<SubscriptionEvent>, isAlone: Bool = true) -> NotificationKind? {
        guard let event = events.last else { return nil }
        let before = SubscriptionState(after: Array(events.dropLast()))
        switch event.kind {
        case .subscribed: return before == nil ? firstSubscription : resubscription
        case .renewed: return renewal
        case .recovered: return recovery
        case .upgraded: return replacing(before, by: event.period)
        case .planChosen: return NotificationKind("DID_CHANGE_RENEWAL_PREF", direction(of: event.product, before))
        case .offerChosen: return offerChosen(before, withPlan: !isAlone && events.dropLast().last?.kind == .planChosen)
        case .renewalTurnedOff: return NotificationKind("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
        case .renewalTurnedOn: return NotificationKind("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED")
        case .billingFailed: return NotificationKind("DID_FAIL_TO_RENEW", event.until == nil ? "" : "GRACE_PERIOD")
        case .graceEnded: return NotificationKind("GRACE_PERIOD_EXPIRED")
        case .expired: return NotificationKind("EXPIRED", ending(because: event.reason))
        case .extended: return event.renewalExtension == nil ? nil : NotificationKind("RENEWAL_EXTENDED")
        case .priceIncreaseTold:
            return NotificationKind("PRICE_INCREASE", event.priceIncrease?.isUndecided == true ? "PENDING" : "ACCEPTED")
        case .priceIncreaseAgreed: return NotificationKind("PRICE_INCREASE", "ACCEPTED")
        // The purchase causes REFUND and REFUND_REVERSED.
        case .authorised, .chargeFailed, .refunded, .refundReversed, .priceIncreaseEnded: return nil
        }
    }

    /// The notification of a bought period that replaces the running one: a
    /// paid next period of the same product, or an upgrade.
    private static func replacing(_ before: SubscriptionState?, by period: SubscribedPeriod?) -> NotificationKind {
        guard before?.period.product != period?.product else { return renewal }
        let isOffered = period?.offer?.number == 1
        return NotificationKind(isOffered ? "OFFER_REDEEMED" : "DID_CHANGE_RENEWAL_PREF", "UPGRADE")
    }

    /// `DOWNGRADE` for another product than that of the running period, and
    /// empty for that product.
    private static func direction(of product: ProductIdentifier?, _ before: SubscriptionState?) -> String {
        product == before?.period.product ? "" : "DOWNGRADE"
    }

    private static func offerChosen(_ before: SubscriptionState?, withPlan: Bool) -> NotificationKind {
        NotificationKind("OFFER_REDEEMED", withPlan ? direction(of: before?.nextProduct, before) : "")
    }

    private static func ending(because reason: ExpirationReason?) -> String {
        switch reason {
        case .turnedOff?: "VOLUNTARY"
        case .billingError?: "BILLING_RETRY"
        case .priceIncrease?: "PRICE_INCREASE"
        case .productUnavailable?: "PRODUCT_NOT_FOR_SALE"
        default: ""
        }
    }

    /// The notifications of the events from an index on, each with the number
    /// of events that were saved with or before it. The kind of an event that
    /// may cause one of version 1 alone is `nil`.
    static func caused(
        by events: [SubscriptionEvent], from saved: Int
    ) -> [(kind: NotificationKind?, count: Int)] {
        (saved..<max(saved, events.count)).compactMap { index in
            let isFollowed =
                events[index].kind == .planChosen && index + 1 < events.count
                && events[index + 1].kind == .offerChosen
            return isFollowed ? nil : (caused(by: events[...index], isAlone: index == saved), index + 1)
        }
    }
}
