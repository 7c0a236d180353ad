// SPDX-License-Identifier: Apache-2.0

/// The texts of the page on which customers manage their subscriptions.
struct SubscriptionWords: PageWords {
    var show: String
    var none: String
    var revoked: String
    var paymentFailed: String
    /// The grace period, until `{date}`.
    var grace: String
    /// The store tries again until `{date}`.
    var retry: String
    /// Paid until `{end}`.
    var renewing: String
    var ended: String
    var stops: String
    /// It renews for `{price}`.
    var renews: String
    /// It renews as `{product}` for `{price}`.
    var renewsAs: String
    /// The price rises from `{old}` to `{new}` on `{date}`.
    var rises: String
    var turnOffBefore: String
    var hasAgreed: String
    var mustAgree: String
    /// The consequences of a choice with the rate.
    var fromNextPeriod: String
    var fromNow: String
    var buyAgain: String
    var agree: String
    var disagree: String
    var endNow: String
    var turnOff: String
    /// A button that turns the renewal on with `{consequence}`.
    var turnOn: String
    /// Buttons that begin and end the sharing with the family.
    var share: String
    var unshare: String
    /// A button that changes to `{product}` with `{consequence}`.
    var changeTo: String
    /// A product and its consequence.
    var offer: String
    /// The results of answers.
    var asked: String
    var planChanged: String
    var turnedOn: String
    var turnedOff: String
    var agreed: String
    var disagreed: String
    var shared: String
    var unshared: String
}
