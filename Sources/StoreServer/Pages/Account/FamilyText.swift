// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain

/// All sentences of the family's page, in English.
enum FamilyText {
    static let signInFirst = "Sign in first."
    static let passwordNeeded = "Type your password to approve: it pays for the purchase."
    static let declined = "You have declined the request. Nothing was charged."
    static let noFamily = "This account is in no family."
    static let noRequests = "No request waits for your answer."
    static let onlyParents = "The organiser and the parents of the family answer its requests to buy."
    static let show = "Show requests"
    static let members = "Members"
    static let password = "Your password"
    static let decline = "Decline"
    static let signOut = "Sign out"

    /// The result of an approval.
    static func approved(_ request: DeviceRequest) -> String {
        switch request.status {
        case .done: "You have approved the request, and the purchase is made."
        case .failed:
            "It can't be bought any more, and nothing was charged. \(request.failure?.message ?? "")"
        default: "You have approved the request. The payment is under way: don't approve it again."
        }
    }

    /// The name of a role.
    static func role(_ role: FamilyMember.Role) -> String {
        switch role {
        case .organiser: "organiser"
        case .parent: "parent"
        case .child: "child"
        default: "adult"
        }
    }

    /// The consequence of an approval, for the parent who reads it.
    static func outcome(_ request: ChildRequest) -> String {
        switch request.outcome {
        case .charges(let price) where price.milliunits == 0: "Free of charge."
        case .charges(let price): "You pay \(PageLanguage.english.price(price))."
        case .fails(let failure): "It can't be bought any more: \(failure.message)"
        case .waits: "Another payment for this is under way: wait a moment."
        }
    }

    /// When the request was made, and how long it waits.
    static func time(_ request: ChildRequest) -> String {
        let asked = "Asked on \(PageLanguage.english.date(request.asked))."
        return request.until.map { "\(asked) It waits until \(PageLanguage.english.date($0))." } ?? asked
    }

    /// The text of the button that approves.
    static func approve(_ price: Money) -> String {
        price.milliunits == 0 ? "Approve" : "Approve and pay \(PageLanguage.english.price(price))"
    }

    /// The product with its quantity.
    static func title(_ request: ChildRequest, _ languages: [String]) -> String {
        let name =
            request.product.map { SubscriptionText.title($0, in: request.storefront, languages) }
            ?? request.productIdentifier.rawValue
        return request.quantity == 1 ? name : "\(request.quantity) × \(name)"
    }
}
