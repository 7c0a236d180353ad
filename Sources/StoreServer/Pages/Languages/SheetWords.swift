// SPDX-License-Identifier: Apache-2.0

/// The texts of the sheets of a payment, a sign-in, a code and a price.
struct SheetWords: PageWords {
    var titlePayment: String
    var titleSignIn: String
    var titleRedeem: String
    var titleConsent: String

    /// The names of the parts of a sheet, for screen readers.
    var partProduct: String
    var partTerms: String
    var partSubscription: String
    var partCode: String
    var partPrice: String
    var partDetails: String

    /// `{app}` asks for the purchases.
    var leadSignIn: String
    /// A code for `{app}`.
    var leadRedeem: String
    /// In the place of the price of an owned product.
    var freeOfCharge: String
    var owned: String
    var asksToBuy: String
    var paymentMethod: String
    /// The payment method of the sandbox.
    var sandboxPayment: String
    /// The payment method of an account that isn't known by a password or a
    /// session yet.
    var preferredMethod: String
    var noMethod: String
    var addMethod: String
    var chooseMethod: String
    /// A tax that the price has in it, or hasn't.
    var taxIncluded: String
    var taxAdded: String

    var code: String
    var name: String
    var contactEmail: String
    var contactExample: String
    var postcode: String
    var manageSubscriptions: String

    var buy: String
    /// The button for an owned product.
    var getAgain: String
    /// The button of a child.
    var ask: String
    var redeem: String
    var otherCode: String
    var goOn: String
    var agree: String
    var notNow: String
    /// While the page looks for the store, and when it isn't there.
    var sending: String
    var networkFailed: String
}
