// SPDX-License-Identifier: Apache-2.0

/// A dated change of a subscription. The events of a subscription are all that
/// is recorded of it: ``SubscriptionState`` is computed from them.
package struct SubscriptionEvent: Hashable, Sendable {
    /// The kind of change. The database stores the raw values.
    package enum Kind: String, Sendable {
        /// The customer has bought: for the first time, or after the
        /// subscription had ended.
        case subscribed
        /// The next period has begun at the end of the one before.
        case renewed
        /// A period was paid after the charge had failed.
        case recovered
        /// The customer has changed to another product of the group immediately:
        /// one of a higher level, or of the same level and duration.
        case upgraded
        /// The customer has chosen the product of the next period, or the
        /// current product again.
        case planChosen = "plan chosen"
        /// The customer has chosen an offer for the next period.
        case offerChosen = "offer chosen"
        case renewalTurnedOff = "renewal turned off"
        case renewalTurnedOn = "renewal turned on"
        /// The amount of the next period is authorised before that period
        /// begins; without a payment when nothing is to be paid.
        case authorised
        /// A charge was declined.
        case chargeFailed = "charge failed"
        /// The period has ended without a paid next one: the store retries
        /// the charge. The grace period has begun if there is one.
        case billingFailed = "billing failed"
        /// The grace period has ended, and the charge is still retried.
        case graceEnded = "grace ended"
        /// The subscription has ended.
        case expired
        /// A period's price was given back.
        case refunded
        /// The refund of a period was taken back.
        case refundReversed = "refund reversed"
        /// The end of the running period was moved; in the sandbox also to an
        /// earlier moment.
        case extended
        /// The customer was informed of a higher price.
        case priceIncreaseTold = "price increase announced"
        /// The customer has agreed to the higher price.
        case priceIncreaseAgreed = "price increase agreed"
        /// The higher price was withdrawn before it was paid.
        case priceIncreaseEnded = "price increase ended"
    }

    package var kind: Kind
    /// When it happened, or was due to happen.
    package var at: StoreTime
    /// The period that has begun: of `subscribed`, `renewed`, `recovered` and
    /// `upgraded`.
    package var period: SubscribedPeriod?
    /// The product of `planChosen`.
    package var product: ProductIdentifier?
    /// The transaction of `refunded`, `refundReversed` and `extended`.
    package var transaction: TransactionIdentifier?
    /// The payment of `authorised` and `chargeFailed`.
    package var payment: PaymentIdentifier?
    /// The end of the grace period of `billingFailed`, or the new end of the
    /// running period of `extended`.
    package var until: StoreTime?
    /// Why the subscription `expired`, or why its renewal was turned off.
    package var reason: ExpirationReason?
    /// The order that has moved the end of the period of `extended`.
    package var renewalExtension: RenewalExtension?
    /// The offer of `offerChosen`.
    package var offer: AppliedOffer?
    /// The higher price of `priceIncreaseTold`, and of a `priceIncreaseAgreed`
    /// to a lower one than the subscriber was informed of.
    package var priceIncrease: PriceIncrease?
    /// The price of the product of `planChosen`; `nil` in events of earlier
    /// versions.
    package var chosenPrice: ChosenPrice?

    package init(
        _ kind: Kind, at moment: StoreTime, period: SubscribedPeriod? = nil, product: ProductIdentifier? = nil,
        transaction: TransactionIdentifier? = nil, payment: PaymentIdentifier? = nil, until: StoreTime? = nil,
        reason: ExpirationReason? = nil, renewalExtension: RenewalExtension? = nil, offer: AppliedOffer? = nil,
        priceIncrease: PriceIncrease? = nil
    ) {
        self.kind = kind
        at = moment
        self.period = period
        self.product = product
        self.transaction = transaction
        self.payment = payment
        self.until = until
        self.reason = reason
        self.renewalExtension = renewalExtension
        self.offer = offer
        self.priceIncrease = priceIncrease
    }
}

/// Why a subscription ended: the numbers of `expiration_intent` in the answer
/// of `/verifyReceipt`.
package struct ExpirationReason: RawRepresentable, Hashable, Sendable {
    package var rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The customer has turned the renewal off.
    package static let turnedOff = ExpirationReason(rawValue: 1)
    /// The charge has failed until the end.
    package static let billingError = ExpirationReason(rawValue: 2)
    /// The customer hasn't agreed to a higher price.
    package static let priceIncrease = ExpirationReason(rawValue: 3)
    /// The product isn't sold any more where the customer is.
    package static let productUnavailable = ExpirationReason(rawValue: 4)
    /// Any other reason.
    package static let other = ExpirationReason(rawValue: 5)
}

extension SubscriptionEvent {
    /// Whether the signed renewal of the subscription has other values after it.
    var changesRenewal: Bool {
        switch kind {
        case .planChosen, .offerChosen, .renewalTurnedOff, .renewalTurnedOn, .billingFailed, .graceEnded, .expired:
            true
        default: false
        }
    }
}
