// SPDX-License-Identifier: Apache-2.0

import StoreKit

/// One product as the pages show it.
struct Row: Encodable, Sendable {
    var identifier: String
    /// The identifier's last component.
    var name: String
    var title: String
    var description: String
    /// With the length of a subscription's period, such as `$4.99 a month`;
    /// empty when the store hasn't listed the product.
    var price: String
    /// `purchased`, `buying`, `waiting` (for approval), `for-sale`, or
    /// `unknown` when the store hasn't listed the product. A plan is
    /// `purchased` as long as it is paid.
    var state: String
    var isPurchased: Bool
    var isBuying: Bool
    var isWaiting: Bool
    /// The number of units of a consumable.
    var count: Int
    var isConsumable: Bool
    var isSubscription: Bool
    var canBuy: Bool
    /// The text of the button.
    var verb: String
    /// The button's text with the product and its price.
    var label: String
    var unlocksPicture: Bool
    /// The download of the product's content; `nil` when there is none to
    /// wait for.
    var download: DownloadRow?
}

extension Shop {
    /// A row for each product that the store has listed, then one for each
    /// other product that the customer has bought.
    var rows: [Row] {
        let known = Set(products.map(\.productIdentifier))
        let subscription = subscription
        let owned = helper.list.identifiers.filter { identifier in
            !known.contains(identifier)
                && (owns(identifier, subscription) || helper.purchases.count(of: identifier) > 0)
        }
        return products.map { row(for: $0.productIdentifier, $0, subscription) }
            + owned.map { row(for: $0, nil, subscription) }
    }

    /// The names of all products, on sale or not.
    var names: [String] { helper.list.identifiers.map(Self.name) }

    static func name(_ identifier: String) -> String {
        identifier.split(separator: ".").last.map(String.init) ?? identifier
    }

    func row(named name: String) -> Row? {
        rows.first { $0.name == name }
    }

    private func row(for identifier: String, _ product: SKProduct?, _ subscription: Subscription?) -> Row {
        let name = Self.name(identifier)
        let state = state(of: identifier, isKnown: product != nil, subscription)
        let isSubscription = helper.purchases.isSubscription(identifier)
        let (title, price) = (product?.localizedTitle ?? name, product.map(price(of:)) ?? "")
        let isChange = isSubscription && subscription?.isPaid == true
        let verb = isChange ? "Change" : isSubscription ? "Subscribe" : "Buy"
        let words = isChange ? "Change to" : isSubscription ? "Subscribe to" : "Buy"
        return Row(
            identifier: identifier, name: name, title: title, description: product?.localizedDescription ?? "",
            price: price, state: state, isPurchased: state == "purchased", isBuying: state == "buying",
            isWaiting: state == "waiting", count: helper.purchases.count(of: identifier),
            isConsumable: helper.purchases.isConsumable(identifier), isSubscription: isSubscription,
            // A payment that waits for approval doesn't prevent another one.
            canBuy: product != nil && (state == "for-sale" || state == "waiting"), verb: verb,
            label: "\(words) \(title) for \(price)", unlocksPicture: helper.list.pictures[identifier] != nil,
            download: state == "purchased" ? download(of: identifier, title: title) : nil)
    }

    private func download(of identifier: String, title: String) -> DownloadRow? {
        helper.download(of: identifier).map { DownloadRow($0, title: title) }
    }

    private func state(of identifier: String, isKnown: Bool, _ subscription: Subscription?) -> String {
        // A plan that the customer has can be bought again only when it ends.
        if owns(identifier, subscription) { return "purchased" }
        if helper.isBuying(identifier) { return "buying" }
        if helper.isWaitingForApproval(identifier) { return "waiting" }
        return isKnown ? "for-sale" : "unknown"
    }
}
