// SPDX-License-Identifier: Apache-2.0

/// A `notification_type` of App Store Server Notifications, version 1.
///
/// Source: Apple's page "notification_type", with its tables of events and of
/// the members of a family.
enum FormerNotificationType: String, Sendable {
    case firstSubscription = "INITIAL_BUY"
    case interactiveRenewal = "INTERACTIVE_RENEWAL"
    case renewal = "DID_RENEW"
    case recovery = "DID_RECOVER"
    case failure = "DID_FAIL_TO_RENEW"
    case preference = "DID_CHANGE_RENEWAL_PREF"
    case status = "DID_CHANGE_RENEWAL_STATUS"
    case priceConsent = "PRICE_INCREASE_CONSENT"
    /// The refund of an auto-renewable subscription.
    case cancellation = "CANCEL"
    /// The refund of any other purchase.
    case refund = "REFUND"
    case revocation = "REVOKE"
    case consumptionRequest = "CONSUMPTION_REQUEST"

    /// The notifications of the last of a subscription's events.
    static func caused(by events: ArraySlice<SubscriptionEvent>) -> [FormerNotificationType] {
        guard let event = events.last else { return [] }
        let before = SubscriptionState(after: Array(events.dropLast()))
        switch event.kind {
        case .subscribed: return before.map { resubscribed(after: $0, event.period) } ?? [.firstSubscription]
        case .renewed: return [.renewal]
        case .recovered: return [.recovery]
        case .upgraded:
            return before?.period.product == event.period?.product ? [.renewal] : [.status, .interactiveRenewal]
        case .planChosen, .offerChosen: return [.preference]
        case .renewalTurnedOff, .renewalTurnedOn: return [.status]
        case .billingFailed: return [.failure]
        case .expired: return event.reason == .billingError ? [.status] : []
        case .priceIncreaseTold: return event.priceIncrease?.isUndecided == true ? [.priceConsent] : []
        case .refunded, .refundReversed:
            return before?.renews == SubscriptionState(after: Array(events))?.renews ? [] : [.status]
        case .authorised, .chargeFailed, .graceEnded, .extended, .priceIncreaseAgreed, .priceIncreaseEnded: return []
        }
    }

    /// A customer has subscribed again after the end: to the same product, to
    /// another one of the group, or with an offer.
    private static func resubscribed(
        after last: SubscriptionState, _ period: SubscribedPeriod?
    ) -> [FormerNotificationType] {
        if period?.offer != nil { return [.interactiveRenewal] }
        return last.period.product == period?.product ? [.status] : [.interactiveRenewal, .status]
    }

    /// The notifications of a change of a purchase that isn't an event of its
    /// subscription. A member of a family gets no `INITIAL_BUY`.
    static func caused(by kind: NotificationKind, of purchase: Purchase) -> [FormerNotificationType] {
        switch kind {
        case .refund: [purchase.kind == .autoRenewable ? .cancellation : .refund]
        case .consumptionRequest: purchase.kind == .consumable ? [.consumptionRequest] : []
        case .revocation: [.revocation]
        case .resubscription: [.interactiveRenewal]
        case .renewal: [.renewal]
        case .recovery: [.recovery]
        default: []
        }
    }
}
