// SPDX-License-Identifier: Apache-2.0

/// An offer of a subscription in one storefront.
package struct OfferInfo: Codable, Sendable, Hashable {
    /// The kind of an offer. A kind without a constant here is kept as it is.
    package struct Kind: RawRepresentable, Codable, Sendable, Hashable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let introductory = Kind(rawValue: "introductory")
        package static let promotional = Kind(rawValue: "promotional")
        package static let winBack = Kind(rawValue: "win-back")
    }

    /// The time of the payment. A mode without a constant here is kept as it
    /// is.
    package struct PaymentMode: RawRepresentable, Codable, Sendable, Hashable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let free = PaymentMode(rawValue: "free")
        package static let payAsYouGo = PaymentMode(rawValue: "payAsYouGo")
        package static let payUpFront = PaymentMode(rawValue: "payUpFront")
    }

    package var kind: Kind
    /// The name by which the app refers to it; `nil` for an introductory offer.
    @Limited<Optionally<Identifier>> package var identifier: String?
    package var paymentMode: PaymentMode
    /// The length of a period in the form of ISO 8601, such as `P1W`.
    @Limited<PeriodText> package var period: String
    /// The number of periods.
    @Limited<OfferPeriods> package var periods: Int
    /// The price of a period in thousandths of the currency's unit.
    @Limited<Milliunits> package var milliunits: Int64

    package init(
        kind: Kind, identifier: String?, paymentMode: PaymentMode, period: String, periods: Int, milliunits: Int64
    ) {
        self.kind = kind
        self.identifier = identifier
        self.paymentMode = paymentMode
        self.period = period
        self.periods = periods
        self.milliunits = milliunits
    }
}
