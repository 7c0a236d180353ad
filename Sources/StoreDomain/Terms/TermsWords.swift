// SPDX-License-Identifier: Apache-2.0

/// The words and sentences about a subscription's terms in one language.
///
/// Each text is a template: names in braces stand for values. All languages
/// have the same names in a text, each once. Customers are addressed formally.
package struct TermsWords: Sendable {
    /// The forms of a unit of time.
    struct Unit: Sendable {
        /// `1 month`.
        var one: String
        /// `3 months`.
        var other: String
        /// A price for each unit: `4.99 USD per month`.
        var rate: String
        /// A price for each of several units: `4.99 USD per 3 months`.
        var rates: String
    }

    /// Between two sentences: a space, or nothing.
    var separator: String
    /// A moment. It has the time, because the day depends on the customer's
    /// time zone, which the store doesn't know.
    var moment: String
    var day: Unit
    var week: Unit
    var month: Unit
    var year: Unit

    /// The offer of a free time, before ``offered`` goes on.
    var free: String
    /// The offer of a price for the whole time, as ``free``.
    var upFront: String
    /// The offer of a price for each period, as ``free``.
    var eachPeriod: String
    /// Two offers of which the second follows, as ``free``.
    var sequence: String
    /// An offer and the rate that follows.
    var offered: String
    /// A rate without an offer.
    var regular: String

    var firstPeriod: String
    /// An upgrade.
    var replaces: String
    var givenBack: String
    /// A plan that begins with the next period.
    var begins: String
    var nothingNow: String
    var offerBegins: String
    /// The current plan.
    var owned: String
    var ownedUntil: String
    var staysOn: String
    var turnedOn: String
    /// The rule of the renewal, and how to end it.
    var renewal: String
    /// The offer of a longer period for a contact, said by the customer.
    var contact: String
    /// A subscriber's price now and later.
    var priceRises: String
    /// The consequence of no consent to the price of ``priceRises``, at the
    /// date in it.
    var endsUnlessAgreed: String

    /// Replaces the names in braces by their values. Braces in values stay,
    /// because the name of an app may have them.
    package static func fill(_ template: String, _ values: KeyValuePairs<String, String>) -> String {
        var filled = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = rest[rest.index(after: open)..<close]
            filled += rest[..<open]
            filled += values.first { $0.key == name }?.value ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}
