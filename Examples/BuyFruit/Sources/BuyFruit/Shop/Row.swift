// SPDX-License-Identifier: Apache-2.0

import StoreKit

/// One product as the pages show it.
struct Row: Encodable, Sendable {
    var identifier: String
    /// The identifier's last component.
    var name: String
    var title: String
    var description: String
    /// Empty when the store hasn't listed the product.
    var price: String
    /// `purchased`, `buying`, `waiting` (for approval), `for-sale`, or
    /// `unknown` when the store hasn't listed the product.
    var state: String
    var isPurchased: Bool
    var isBuying: Bool
    var isWaiting: Bool
    /// The number of units of a consumable.
    var count: Int
    var isConsumable: Bool
    var canBuy: Bool
    var unlocksPicture: Bool
}

extension Shop {
    /// A row for each product that the store has listed, then one for each
    /// other product that the customer has bought.
    var rows: [Row] {
        let known = Set(products.map(\.productIdentifier))
        let owned = helper.list.identifiers.filter { identifier in
            !known.contains(identifier)
                && (helper.purchases.isPurchased(identifier) || helper.purchases.count(of: identifier) > 0)
        }
        return products.map { row(for: $0.productIdentifier, $0) } + owned.map { row(for: $0, nil) }
    }

    /// The names of all products, on sale or not.
    var names: [String] { helper.list.identifiers.map(Self.name) }

    private static func name(_ identifier: String) -> String {
        identifier.split(separator: ".").last.map(String.init) ?? identifier
    }

    func row(named name: String) -> Row? {
        rows.first { $0.name == name }
    }

    private func row(for identifier: String, _ product: SKProduct?) -> Row {
        let name = Self.name(identifier)
        let state = state(of: identifier, isKnown: product != nil)
        return Row(
            identifier: identifier, name: name, title: product?.localizedTitle ?? name,
            description: product?.localizedDescription ?? "", price: product.map(price(of:)) ?? "",
            state: state, isPurchased: state == "purchased", isBuying: state == "buying",
            isWaiting: state == "waiting", count: helper.purchases.count(of: identifier),
            isConsumable: helper.purchases.isConsumable(identifier),
            // A payment that waits for approval doesn't prevent another one.
            canBuy: product != nil && (state == "for-sale" || state == "waiting"),
            unlocksPicture: helper.list.pictures[identifier] != nil)
    }

    private func state(of identifier: String, isKnown: Bool) -> String {
        if helper.purchases.isPurchased(identifier) { return "purchased" }
        if helper.isBuying(identifier) { return "buying" }
        if helper.isWaitingForApproval(identifier) { return "waiting" }
        return isKnown ? "for-sale" : "unknown"
    }
}
