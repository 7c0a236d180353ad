// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain

/// The customer who answers a page.
struct PageCustomer {
    /// The language of the answer's page.
    var language: PageLanguage
    /// The key of the network address that sent the answer.
    var address: String?
    /// The form, whose values the page has again after a failure.
    var typed: CustomerForm?
    /// Whether the account of the form is signed in on the device of the sheet.
    var isOnOwnDevice = false
    /// The account whose password or session was checked.
    var account: Account?
    /// The token of a new session for the browser.
    var cookie: String?

    init(_ request: Hummingbird.Request, from address: String?) {
        language = PageLanguage(request)
        self.address = address
    }
}
