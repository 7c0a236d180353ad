// SPDX-License-Identifier: Apache-2.0

package import StoreCore

/// The failures of a payment that the store decides.
extension PurchaseFailure {
    /// The customer cancelled the sheet.
    package static let cancelled = PurchaseFailure(.paymentCancelled, "The customer cancelled the payment.")
    /// The sheet expired before the customer answered it.
    package static let unanswered = PurchaseFailure(
        .paymentCancelled, "The payment sheet was not answered in time.")

    /// The sheet was closed after the largest number of wrong passwords.
    package static let tooManyPasswords = PurchaseFailure(
        .paymentCancelled, "Too many wrong passwords were typed on the payment sheet.")

    /// The person who had to approve the payment declined it (Ask to Buy).
    package static let disapproved = PurchaseFailure(.paymentCancelled, "The request to buy was declined.")
    /// No parent has answered the request in the time that the operator allows.
    package static let unapproved = PurchaseFailure(
        .paymentCancelled, "The request to buy was not answered in time.")
    static let leftFamily = PurchaseFailure(
        .paymentCancelled, "The request to buy ended, because the account has left its family.")
    static let grownUp = PurchaseFailure(
        .paymentCancelled, "The request to buy ended, because the account needs no approval any more: buy it again.")
    static let withdrawn = PurchaseFailure(
        .storeProductNotAvailable, "The app didn't go on with the payment in another storefront.")
    static let barred = PurchaseFailure(.clientInvalid, "The store sells nothing to this account any more.")
    static let accountClosed = PurchaseFailure(.clientInvalid, "The account that was to pay is closed.")
    static let ownedAlready = PurchaseFailure(
        .ineligibleForOffer, "The account owns the product of the code already. The code can be redeemed again.")
    static let signedOut = PurchaseFailure(.unknown, "The device was signed out meanwhile: try again.")
    static let otherAccount = PurchaseFailure(.unknown, "Another account has signed in since: restore again.")
    static let listDeleted = PurchaseFailure(.unknown, "This restore was begun too long ago: restore again.")
    static let subscribed = PurchaseFailure(
        .unknown, "The customer has this subscription already, and nothing was changed or charged.",
        underlying: .subscribed)
    static let interrupted = PurchaseFailure(
        .unknown, "The purchase was interrupted: the customer has something to do in the store first.",
        underlying: .interrupted)

    static func invalid(_ message: String) -> PurchaseFailure { PurchaseFailure(.paymentInvalid, message) }

    static func notAvailable(_ message: String) -> PurchaseFailure {
        PurchaseFailure(.storeProductNotAvailable, message)
    }
}
