// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain

/// The fields of the forms of customers' pages
/// (`application/x-www-form-urlencoded`).
struct CustomerForm: Decodable {
    var decision: String?
    var email: String?
    var password: String?
    /// The price that was on the page, as `milliunits currency`.
    var shown: String?
    /// The consequence for the customer's subscription that was on the page: a
    /// raw value of `PlanChange`.
    var change: String?
    /// The offer that was on the page: `AppliedOffer.summary`, empty for none.
    var offer: String?
    /// The later prices that were on the page: `ShownTerms.then`.
    var then: String?
    /// The terms of all choices for a subscription that were on the page
    /// (``ChoiceTerms``).
    var terms: String?
    /// `yes` if the customer shares the following three with the seller.
    var share: String?
    /// The longer period for them that was on the page: `ShownTerms.bonus`.
    var bonus: String?
    var name: String?
    var contactEmail: String?
    var postcode: String?
    /// The code of an answer on the sheet of a code.
    var code: String?
    /// The subscription of an answer on the account's page.
    var subscription: String?
    /// The session of a browser that the account's page ends.
    var session: String?
    /// The device that the account's page signs out.
    var device: String?
    /// A payment method of the account: the chosen one on a sheet, and the one to
    /// prefer or to remove on the account's page.
    var method: String?
    /// The test method to add: a raw value of `SandboxMethod`.
    var card: String?
    /// The password that replaces `password`.
    var newPassword: String?
    /// The e-mail address that replaces the account's.
    var newEmail: String?
    /// A raw value of `PasswordRule`.
    var rule: String?
    /// The request to buy of an answer on the family's page: the number of its
    /// future purchase.
    var request: String?
    /// The e-mail address, the password and the role of a new member of a
    /// family.
    var member: String?
    var memberPassword: String?
    var role: String?
    /// The product that is chosen for the next period.
    var product: String?

    /// The last purchase of the page before, on the page of purchases.
    var before: String?
    /// The reason of a reported problem: a raw value of
    /// `RefundRequest.Reason`, and the customer's comment.
    var reason: String?
    var comment: String?

    /// The largest body of a form.
    static let limit = 16 << 10

    /// Decodes the body of a request.
    ///
    /// - Throws: `StoreFailure` `malformed`.
    init(reading text: String) throws {
        guard let form = try? URLEncodedFormDecoder().decode(CustomerForm.self, from: text) else {
            throw StoreFailure(.malformed, "The form can't be read.")
        }
        self = form
    }
}
