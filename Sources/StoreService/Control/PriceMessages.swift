// SPDX-License-Identifier: Apache-2.0

/// The messages about prices that change at a moment, and about the consent
/// of subscribers. Moments are texts in the form of ISO 8601.
extension Control {
    /// Schedules a price, in place of the one that was scheduled for the
    /// product and storefront.
    package struct SchedulePriceCall: Codable, Sendable {
        package var bundle: String
        package var product: String
        /// The country of the price, in three letters; the base price when
        /// absent.
        package var storefront: String?
        /// A decimal such as `0.99`.
        package var price: String
        /// The moment from which the price applies, at most two years ahead;
        /// now when absent.
        package var starts: String?
        /// `keep`, also when absent, or `change`.
        package var subscribers: String?
        /// `rule`, also when absent, `needed` or `told`.
        package var consent: String?

        package init(
            bundle: String, product: String, storefront: String?, price: String, starts: String?,
            subscribers: String?, consent: String?
        ) {
            self.bundle = bundle
            self.product = product
            self.storefront = storefront
            self.price = price
            self.starts = starts
            self.subscribers = subscribers
            self.consent = consent
        }
    }

    /// A price that is scheduled or has begun.
    package struct PriceChangeAnswer: Codable, Sendable {
        /// The identifier of the change.
        package var change: String
        package var product: String
        /// The country of the price; absent for the base price.
        package var storefront: String?
        /// A decimal such as `0.99`.
        package var price: String
        /// The price before; absent as long as the change is scheduled.
        package var previous: String?
        package var starts: String
        package var subscribers: String
        package var consent: String
        /// `scheduled`, `telling` while subscribers remain to be informed, or
        /// `done`.
        package var status: String
    }

    package struct PriceChangesCall: Codable, Sendable {
        package var bundle: String
        package var product: String

        package init(bundle: String, product: String) {
            self.bundle = bundle
            self.product = product
        }
    }

    package struct PriceChangesAnswer: Codable, Sendable {
        /// The newest 500, those that start last first.
        package var changes: [PriceChangeAnswer]
    }

    /// Cancels a scheduled price; the answer is the same.
    package struct CancelPriceCall: Codable, Sendable {
        /// The identifier of the change.
        package var change: String

        package init(change: String) {
            self.change = change
        }
    }

    /// Asks a subscriber of the sandbox for consent to a price.
    package struct AskPriceConsentCall: Codable, Sendable {
        /// Any transaction of the subscription.
        package var transaction: String
        /// A decimal such as `0.99`; the price of the catalogue when absent.
        package var price: String?

        package init(transaction: String, price: String?) {
            self.transaction = transaction
            self.price = price
        }
    }

    /// Answers a price increase, as the customer does.
    package struct AnswerPriceConsentCall: Codable, Sendable {
        /// Any transaction of the subscription.
        package var transaction: String
        package var agrees: Bool

        package init(transaction: String, agrees: Bool) {
            self.transaction = transaction
            self.agrees = agrees
        }
    }

    /// A higher price of which the customer was informed.
    package struct PriceIncreaseAnswer: Codable, Sendable {
        /// A decimal such as `0.99`.
        package var price: String
        package var currency: String
        /// The start of the first period at this price.
        package var applies: String
        package var needsConsent: Bool
        package var isAgreed: Bool
    }
}
