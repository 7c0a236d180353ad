// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// The tutorial's table view controller: the listed products, and the actions
/// of the buttons.
@MainActor
final class Shop {
    let helper = FruitIAPHelper.shared
    let events = ServerEvents()
    let pages = ProductPages()
    /// Other items of the same shop.
    let more = ShopItem.bundled
    private(set) var products: [SKProduct] = []
    private(set) var isLoading = false
    private(set) var hasFailed = false
    private let priceFormatter = NumberFormatter()
    private var observations: [any NSObjectProtocol] = []

    init() {
        priceFormatter.numberStyle = .currency
        helper.presentAlert = { [events] alert in events.send(alert) }
        pages.presentAlert = { [events] alert in events.send(alert) }
        for name in [Notification.Name.IAPHelperProductPurchased, .IAPHelperQueueChanged] {
            // The helper posts on the main queue; without a queue of its own
            // the observer is called there too.
            let observation = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated { [weak self] in self?.events.sendChange() }
            }
            observations.append(observation)
        }
        let progress = NotificationCenter.default.addObserver(
            forName: .IAPHelperDownloadProgress, object: nil, queue: nil
        ) { note in
            let identifier = note.object as? String ?? ""
            MainActor.assumeIsolated { [weak self] in self?.sendProgress(of: identifier) }
        }
        observations.append(progress)
    }

    /// Shows the progress of a download on the open pages.
    private func sendProgress(of productIdentifier: String) {
        guard let row = row(named: Self.name(productIdentifier)), let download = row.download else { return }
        events.send(DownloadProgress(name: row.name, percent: download.percent, text: download.text))
    }

    /// Carries out an action on a product's download.
    func act(_ action: DownloadAction, onDownloadOf productIdentifier: String) {
        helper.act(action, onDownloadOf: productIdentifier)
    }

    /// The recipes of a product's book, when it is purchased.
    func recipes(of productIdentifier: String) -> [Recipe] {
        helper.purchases.isPurchased(productIdentifier) ? helper.books.recipes(of: productIdentifier) : []
    }

    func reload() {
        isLoading = true
        events.sendChange()
        helper.requestProducts { [weak self] success, products in
            guard let self else { return }
            isLoading = false
            hasFailed = !success
            if success { self.products = sorted(products) }
            events.sendChange()
        }
    }

    /// The customer's subscription now.
    var subscription: Subscription? { Subscription.current }

    /// Whether the customer owns a product, or has a plan that is paid now.
    func owns(_ productIdentifier: String, _ subscription: Subscription?) -> Bool {
        helper.purchases.isPurchased(productIdentifier)
            || subscription?.product == productIdentifier && subscription?.isPaid == true
    }

    /// Requests the list of products again. It also requests a new receipt if
    /// the customer has a subscription, which can have ended.
    func refresh() {
        reload()
        if subscription != nil { helper.refreshReceipt() }
    }

    /// Buys a product; returns `false` if the store hasn't listed it or if it
    /// is purchased already.
    func buy(_ productIdentifier: String) -> Bool {
        guard let product = products.first(where: { $0.productIdentifier == productIdentifier }),
            !owns(productIdentifier, subscription)
        else { return false }
        helper.buyProduct(product)
        return true
    }

    /// Opens the store's page of one of the shop's items; returns `false` if
    /// there is no such item.
    func show(_ item: Int?) -> Bool {
        guard let item = more.first(where: { $0.item == item }) else { return false }
        pages.show(item)
        return true
    }

    func restore() {
        helper.restoreCompletedTransactions()
    }

    /// The price in the format of the customer's storefront, with the length
    /// of a subscription's period.
    func price(of product: SKProduct) -> String {
        priceFormatter.locale = product.priceLocale
        let price = priceFormatter.string(from: product.price) ?? product.price.stringValue
        guard let period = product.subscriptionPeriod else { return price }
        return "\(price) \(Self.each(period))"
    }

    /// `a month`, `every 3 months`.
    private static func each(_ period: SKProductSubscriptionPeriod) -> String {
        let unit =
            switch period.unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            @unknown default: "period"
            }
        return period.numberOfUnits == 1 ? "a \(unit)" : "every \(period.numberOfUnits) \(unit)s"
    }

    /// The picture that the product unlocks, when it is purchased.
    func picture(of productIdentifier: String) -> String? {
        guard helper.purchases.isPurchased(productIdentifier) else { return nil }
        return helper.list.pictures[productIdentifier]
    }

    /// The products in the order of the property list, because the store
    /// returns them in any order.
    private func sorted(_ products: [SKProduct]) -> [SKProduct] {
        let order = helper.list.identifiers
        return products.sorted { left, right in
            (order.firstIndex(of: left.productIdentifier) ?? order.count)
                < (order.firstIndex(of: right.productIdentifier) ?? order.count)
        }
    }
}
