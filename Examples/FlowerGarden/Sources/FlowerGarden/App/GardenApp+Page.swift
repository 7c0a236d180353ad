// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// The app's state as its page shows it, and as `/state.json` has it for
/// scripts and tests.
struct Page: Encodable, Sendable {
    var title = "Flower Garden"
    /// The customer who is signed in.
    var name: String?
    var coins: Int
    var hasCoins: Bool
    var products: [Row]
    var notice: String?
    /// Why purchases aren't delivered now.
    var failure: String?
    var isLoading: Bool
    var unfinishedTransactions: Int
}

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
    /// `downloading`, `interrupted` (a download), `buying`, `waiting` (for approval), `paid` (it waits to
    /// be delivered), `for-sale` or `unknown` (the store doesn't list it).
    var state: String
    var isMissing: Bool
    /// The percentage of a download that is on the disk.
    var progress: Int?
    /// Why a download doesn't go on.
    var interruption: String?
    /// A word for an action that goes on.
    var pending: String?
    /// The text of the button of a product that can be had now.
    var verb: String?
    /// When a subscription ends, in a sentence.
    var end: String?
    /// The address of the page with the content, if the product is owned.
    var page: String?
}

extension GardenApp {
    var page: Page {
        Page(
            name: session?.name, coins: state.coins, hasCoins: state.coins > 0, products: rows, notice: notice,
            failure: failure, isLoading: isLoading,
            unfinishedTransactions: SKPaymentQueue.default().transactions.count)
    }

    var rows: [Row] {
        let state = state
        return list.items.map { row(for: $0, state) }
    }

    func row(named name: String) -> Row? { rows.first { $0.name == name } }

    private func row(for item: ProductListCache.Item, _ state: GardenClient.State) -> Row {
        let product = products.first { $0.id == item.product }
        let name = item.product.split(separator: ".").last.map(String.init) ?? item.product
        let now = stateName(of: item, isSold: product != nil, state)
        let verb = item.isFree ? "Get" : item.kind == "subscription" ? "Subscribe" : "Buy"
        let price = product.map(Self.price).map { price in item.days.map { "\(price) for \($0) days" } ?? price }
        return Row(
            identifier: item.product, name: name, title: product?.displayName ?? item.title ?? name,
            description: product?.description ?? item.description ?? "",
            price: item.isFree ? "Free" : price ?? "", state: now, isMissing: now == "missing",
            progress: progress(of: item.product), interruption: interruption(of: item.product),
            pending: Self.pending[now], verb: session != nil && now == "for-sale" ? verb : nil,
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
        switch downloads.states[item.product] {
        case .running: return "downloading"
        case .interrupted: return "interrupted"
        case nil: break
        }
        let transactions = SKPaymentQueue.default().transactions
            .filter { $0.payment.productIdentifier == item.product }.map(\.transactionState)
        if state.products.contains(item.product) {
            return !item.hasContent || hasContent(item.product) ? "owned" : "missing"
        }
        if transactions.contains(.purchasing) { return "buying" }
        // A purchase that waits to be delivered must not be paid for again.
        if transactions.contains(.purchased) || transactions.contains(.restored) { return "paid" }
        if transactions.contains(.deferred) { return "waiting" }
        return item.isFree || isSold ? "for-sale" : "unknown"
    }

    private func progress(of product: String) -> Int? {
        guard case .running(let share?) = downloads.states[product] else { return nil }
        return Int((100 * share).rounded(.down))
    }

    private func interruption(of product: String) -> String? {
        guard case .interrupted(let reason) = downloads.states[product] else { return nil }
        return reason
    }

    private static func sentence(_ end: Date, isPaid: Bool) -> String {
        let day = end.formatted(.dateTime.day().month(.wide).year().locale(Locale(identifier: "en_US")))
        return isPaid ? "Paid until \(day)." : "Ended on \(day)."
    }

    private static func price(_ product: Product) -> String {
        guard let period = product.subscription?.subscriptionPeriod else { return product.displayPrice }
        let unit = period.unit.localizedDescription.lowercased()
        let each = period.value == 1 ? "a \(unit)" : "every \(period.value) \(unit)s"
        return "\(product.displayPrice) \(each)"
    }
}
