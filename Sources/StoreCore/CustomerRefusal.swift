// SPDX-License-Identifier: Apache-2.0

/// The reason of a refusal for which pages have a sentence in each language. A
/// code decides the next step of a program, and has several of these reasons.
package enum CustomerRefusal: String, Hashable, Sendable, CaseIterable {
    /// A text isn't an e-mail address.
    case emailAddress
    /// The store can't send a message to an address.
    case unsendable
    case password
    case comment
    /// The refund of a purchase without a price.
    case freePurchase
    case paymentMethods
    /// The organiser of a family closes the account.
    case organiser
    /// The account may not buy.
    case account
    /// The product isn't sold, or not in the customer's storefront.
    case product
    /// The offer isn't one of the product, isn't signed, or isn't the
    /// customer's.
    case offer
    /// A plan that is charged immediately is chosen for the next period.
    case planInApp
    /// The request to buy has ended.
    case ended
    /// The sign-in to Connect needs a code too.
    case code
    case wrongCode
    /// The change would leave a team without an account holder.
    case lastHolder
    /// A team has as many users or invitations as it can have.
    case teamFull
    /// A team has as many valid keys as it can have.
    case keysFull
    /// A team has as many items as it can have.
    case itemsFull
    /// An app has as many groups of subscriptions as it can have.
    case groupsFull
    /// An app has as many texts, prices and offers as it can have.
    case catalogueFull
    /// A part of a tester's purchases is deleted, and the next request deletes others.
    case purchasesLeft
    /// A one-time address of Connect can't be used.
    case teamLink
    case signedOut
    /// Another user has changed the values of a form.
    case changed
    /// The customer owns the product whose price was shown.
    case owned

    /// The reason of a refused purchase; `nil` for one without a sentence.
    package init?(_ code: PurchaseFailure.Code) {
        switch code {
        case .clientInvalid, .paymentNotAllowed: self = .account
        case .paymentInvalid, .storeProductNotAvailable: self = .product
        case .invalidOfferIdentifier, .invalidSignature, .missingOfferParams, .invalidOfferPrice, .ineligibleForOffer:
            self = .offer
        case .paymentCancelled: self = .ended
        default: return nil
        }
    }
}
