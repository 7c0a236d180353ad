// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreDomain

/// The type and the subtype that each event of a subscription causes.
struct NotificationKindTests {
    private static let start = StoreTime(milliseconds: 1_767_323_045_000)
    private static let month: Int64 = 30 * 86_400_000

    /// A period of a product that begins some months after the start.
    private static func period(_ product: ProductIdentifier, after months: Int64 = 0) -> SubscribedPeriod {
        NewPeriod(
            transaction: TransactionIdentifier("\(months)"), product: product,
            plan: Product.Plan(group: "baskets", level: 1, period: SubscriptionPeriod(1, .month)), webOrder: "1",
            price: Money(milliunits: 4990, currency: "USD"), storefront: "USA", speed: .realTime
        ).bought(at: StoreTime(milliseconds: start.milliseconds + months * month), in: nil)
    }

    private static func increase(needsConsent: Bool) -> PriceIncrease {
        PriceIncrease(
            price: Money(milliunits: 5990, currency: "USD"), storefront: "USA", needsConsent: needsConsent,
            applies: start)
    }

    private static let bought = SubscriptionEvent(.subscribed, at: start, period: period("small"))
    private static let ended = SubscriptionEvent(.expired, at: start, reason: .turnedOff)
    private static let order = RenewalExtension(days: 1, reason: .outage, request: "outage")

    /// The events of a subscription, and the notification that the last one
    /// causes: section 8 of Apple's table of events.
    private static let table: [(events: [SubscriptionEvent], kind: String)] = [
        ([bought], "SUBSCRIBED/INITIAL_BUY"),
        (
            [bought, ended, SubscriptionEvent(.subscribed, at: start, period: period("small", after: 2))],
            "SUBSCRIBED/RESUBSCRIBE"
        ),
        (
            [bought, ended, SubscriptionEvent(.subscribed, at: start, period: period("large", after: 2))],
            "SUBSCRIBED/RESUBSCRIBE"
        ),
        ([bought, SubscriptionEvent(.renewed, at: start, period: period("small", after: 1))], "DID_RENEW"),
        (
            [bought, SubscriptionEvent(.recovered, at: start, period: period("small", after: 1))],
            "DID_RENEW/BILLING_RECOVERY"
        ),
        (
            [bought, SubscriptionEvent(.upgraded, at: start, period: period("large"))],
            "DID_CHANGE_RENEWAL_PREF/UPGRADE"
        ),
        ([bought, SubscriptionEvent(.upgraded, at: start, period: period("small"))], "DID_RENEW"),
        ([bought, SubscriptionEvent(.planChosen, at: start, product: "other")], "DID_CHANGE_RENEWAL_PREF/DOWNGRADE"),
        (
            [
                bought, SubscriptionEvent(.planChosen, at: start, product: "other"),
                SubscriptionEvent(.planChosen, at: start, product: "small"),
            ], "DID_CHANGE_RENEWAL_PREF/"
        ),
        ([bought, SubscriptionEvent(.offerChosen, at: start)], "OFFER_REDEEMED/"),
        (
            [bought, SubscriptionEvent(.renewalTurnedOff, at: start, reason: .turnedOff)],
            "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"
        ),
        ([bought, SubscriptionEvent(.renewalTurnedOn, at: start)], "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"),
        ([bought, SubscriptionEvent(.authorised, at: start)], ""),
        ([bought, SubscriptionEvent(.chargeFailed, at: start)], ""),
        ([bought, SubscriptionEvent(.billingFailed, at: start)], "DID_FAIL_TO_RENEW/"),
        ([bought, SubscriptionEvent(.billingFailed, at: start, until: start)], "DID_FAIL_TO_RENEW/GRACE_PERIOD"),
        ([bought, SubscriptionEvent(.graceEnded, at: start)], "GRACE_PERIOD_EXPIRED/"),
        ([bought, ended], "EXPIRED/VOLUNTARY"),
        ([bought, SubscriptionEvent(.expired, at: start, reason: .billingError)], "EXPIRED/BILLING_RETRY"),
        ([bought, SubscriptionEvent(.expired, at: start, reason: .priceIncrease)], "EXPIRED/PRICE_INCREASE"),
        (
            [bought, SubscriptionEvent(.expired, at: start, reason: .productUnavailable)],
            "EXPIRED/PRODUCT_NOT_FOR_SALE"
        ),
        ([bought, SubscriptionEvent(.expired, at: start, reason: .other)], "EXPIRED/"),
        ([bought, SubscriptionEvent(.refunded, at: start, transaction: "0")], ""),
        ([bought, SubscriptionEvent(.refundReversed, at: start, transaction: "0")], ""),
        (
            [bought, SubscriptionEvent(.extended, at: start, until: start, renewalExtension: order)],
            "RENEWAL_EXTENDED/"
        ),
        // A test of the sandbox has ended the period early.
        ([bought, SubscriptionEvent(.extended, at: start, until: start)], ""),
        (
            [bought, SubscriptionEvent(.priceIncreaseTold, at: start, priceIncrease: increase(needsConsent: true))],
            "PRICE_INCREASE/PENDING"
        ),
        (
            [bought, SubscriptionEvent(.priceIncreaseTold, at: start, priceIncrease: increase(needsConsent: false))],
            "PRICE_INCREASE/ACCEPTED"
        ),
        ([bought, SubscriptionEvent(.priceIncreaseAgreed, at: start)], "PRICE_INCREASE/ACCEPTED"),
        ([bought, SubscriptionEvent(.priceIncreaseEnded, at: start)], ""),
    ]

    private static func text(_ kind: NotificationKind?) -> String {
        guard let kind else { return "" }
        let hasEmpty = [
            "DID_CHANGE_RENEWAL_PREF", "DID_FAIL_TO_RENEW", "OFFER_REDEEMED", "EXPIRED", "GRACE_PERIOD_EXPIRED",
            "RENEWAL_EXTENDED",
        ].contains(kind.type)
        return kind.subtype.isEmpty && !hasEmpty ? kind.type : "\(kind.type)/\(kind.subtype)"
    }

    @Test("Each event of a subscription causes the notification of Apple's table")
    func kinds() {
        for (events, kind) in Self.table {
            #expect(Self.text(NotificationKind.caused(by: events[...])) == kind, "\(events.map(\.kind))")
        }
        let kinds = Set(Self.table.compactMap(\.events.last?.kind))
        #expect(kinds.count == 19, "the table lacks a kind of event")
    }

    @Test("A product that is chosen with an offer causes one notification")
    func offers() {
        let plan = SubscriptionEvent(.planChosen, at: Self.start, product: "other")
        let offer = SubscriptionEvent(.offerChosen, at: Self.start)
        let together = NotificationKind.caused(by: [Self.bought, plan, offer], from: 1)
        #expect(together.map { Self.text($0.kind) } == ["OFFER_REDEEMED/DOWNGRADE"])
        #expect(together.map(\.count) == [3])

        let apart = NotificationKind.caused(by: [Self.bought, plan, offer], from: 2)
        #expect(apart.map { Self.text($0.kind) } == ["OFFER_REDEEMED/"])
    }
}
