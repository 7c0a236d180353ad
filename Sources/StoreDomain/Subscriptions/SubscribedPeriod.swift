// SPDX-License-Identifier: Apache-2.0

/// One paid period of a subscription: one transaction.
package struct SubscribedPeriod: Hashable, Sendable {
    package var transaction: TransactionIdentifier
    package var product: ProductIdentifier
    package var plan: Product.Plan
    /// The first moment of the period: the transaction's purchase date.
    package var start: StoreTime
    /// The end of the period, unless it is extended later.
    package var end: StoreTime
    /// The moment from which the periods of the chain are counted, as it is at
    /// this period's end.
    package var anchor: BillingAnchor
    /// The speed at which the period was made.
    package var speed: RenewalSpeed
    /// The number of renewals at this speed since the customer has bought.
    package var renewals: Int
    /// The identifier of the billing, the same on all devices.
    package var webOrder: WebOrderIdentifier
    /// The price that was charged.
    package var price: Money
    /// The country code of the storefront in whose currency the price is.
    package var storefront: String
    /// The offer with which it was bought; `nil` for the regular price.
    package var offer: AppliedOffer?
    /// The higher price of which the customer was informed in an earlier period,
    /// and which waits for a later one.
    package var priceIncrease: PriceIncrease?

    /// The price of such a period without an offer.
    package var regularPrice: Money { offer?.regularPrice ?? price }
}

/// The identifier of a subscription's billing, across devices: a decimal
/// number below 2^63.
package typealias WebOrderIdentifier = TypedIdentifier<SubscribedPeriod>

extension SubscribedPeriod {
    /// The unused part of the price at a moment, by time, rounded down to
    /// hundredths of the currency's unit. Apple publishes no formula.
    ///
    /// `end` is the period's end, which may have been extended: days that were
    /// given for nothing lower no refund.
    func unusedPrice(at moment: StoreTime, end: StoreTime) -> Money {
        let length = Double(max(1, end.milliseconds - start.milliseconds))
        let left = Double(min(max(0, end.milliseconds - moment.milliseconds), end.milliseconds - start.milliseconds))
        return price.share(left / length)
    }
}
