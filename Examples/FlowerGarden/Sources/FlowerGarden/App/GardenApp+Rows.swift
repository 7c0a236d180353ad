// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// One product as the page shows it.
struct Row: Encodable, Sendable {
    var identifier: String
    /// The identifier's last component.
    var name: String
    var title: String
    var description: String
    /// Such as `$9.99 a month`; `Free` for a free product.
    var price: String
    /// `owned`, `missing` (owned, and its content isn't on this device),
    /// `downloading`, `buying`, `waiting` (for approval), `paid` (it waits to
    /// be delivered), `for-sale` or `unknown` (the store doesn't list it).
    var state: String
    var isOwned: Bool
    var isMissing: Bool
    var isSubscription: Bool
    /// A word for an action that goes on.
    var pending: String?
    var canGet: Bool
    /// The text of the button.
    var verb: String
    /// The button's text with the product and its price.
    var label: String
    /// When a subscription ends, in a sentence.
    var end: String?
    /// The address of the page with the content.
    var page: String?
}

extension GardenApp {
    var rows: [Row] {
        let state = state
        return items.map { row(for: $0, state) }
    }

    func row(named name: String) -> Row? { rows.first { $0.name == name } }

    private func row(for item: ProductListCache.Item, _ state: GardenClient.State) -> Row {
        let product = products.first { $0.productIdentifier == item.product }
        let name = item.product.split(separator: ".").last.map(String.init) ?? item.product
        let title = product?.localizedTitle ?? item.title ?? name
        let price = item.isFree ? "Free" : product.map(Self.price) ?? ""
        let now = stateName(of: item, isSold: product != nil, state)
        let verb = item.isFree ? "Get" : item.kind == "subscription" ? "Subscribe" : "Buy"
        return Row(
            identifier: item.product, name: name, title: title,
            description: product?.localizedDescription ?? item.description ?? "", price: price, state: now,
            isOwned: now == "owned", isMissing: now == "missing", isSubscription: item.kind == "subscription",
            pending: Self.pending[now],
            canGet: session != nil && now == "for-sale", verb: verb,
            label: item.isFree ? "Get \(title)" : "\(verb) \(title) for \(price)",
            end: state.subscriptions[item.product].map { end in
                Self.sentence(end, isPaid: state.products.contains(item.product))
            },
            page: now == "owned" ? "/product/\(name)" : nil)
    }

    private static let pending = [
        "downloading": "Downloading…", "buying": "Buying…", "waiting": "Waiting for approval",
        "paid": "Paid, not here yet",
    ]

    private func stateName(
        of item: ProductListCache.Item, isSold: Bool, _ state: GardenClient.State
    ) -> String {
        if downloading.contains(item.product) { return "downloading" }
        let transactions = SKPaymentQueue.default().transactions
            .filter { $0.payment.productIdentifier == item.product }.map(\.transactionState)
        if state.products.contains(item.product) {
            let isHere = contentFile(item.product).map { FileManager.default.fileExists(atPath: $0.path) } ?? false
            return isHere || !item.hasContent ? "owned" : "missing"
        }
        if transactions.contains(.purchasing) { return "buying" }
        // A purchase that waits to be delivered must not be paid for again.
        if transactions.contains(.purchased) || transactions.contains(.restored) { return "paid" }
        if transactions.contains(.deferred) { return "waiting" }
        return item.isFree || isSold ? "for-sale" : "unknown"
    }

    private static func sentence(_ end: Date, isPaid: Bool) -> String {
        let day = end.formatted(.dateTime.day().month(.wide).year().locale(Locale(identifier: "en_US")))
        return isPaid ? "Paid until \(day)." : "Ended on \(day)."
    }

    private static func price(_ product: SKProduct) -> String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        let price = formatter.string(from: product.price) ?? product.price.stringValue
        guard let period = product.subscriptionPeriod else { return price }
        let unit =
            switch period.unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            @unknown default: "period"
            }
        return period.numberOfUnits == 1 ? "\(price) a \(unit)" : "\(price) every \(period.numberOfUnits) \(unit)s"
    }
}
