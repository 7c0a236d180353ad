// SPDX-License-Identifier: Apache-2.0

import StoreCore

extension AppCatalogue {
    /// The most bytes of the products and groups of a seller's app: comparisons and downloads hold all of them in memory. The
    /// operator's imports have no such limit.
    static let largest = 16 << 20
    /// The bytes that a row counts besides its texts, so that short texts and prices have a limit too.
    static let rowBytes = 64

    /// Whether a seller may make an app larger by some bytes. An app that has too many may get smaller.
    static func allows(_ bytes: Int, growingBy growth: Int) -> Bool { growth <= 0 || bytes + growth <= largest }

    /// The error for a change after which an app would have more bytes.
    static let full = DomainError(
        .invalid,
        "An app has at most \(largest >> 20) MB of texts, prices and offers: shorten or remove some of them first.",
        reason: .catalogueFull)
}

extension Product {
    /// The bytes that the product counts of its app's catalogue.
    var bytes: Int {
        let rows = 1 + localizations.count + prices.count + exclusions.count + offers.count
        let offered = offers.reduce(0) { sum, offer in
            sum + offer.identifier.utf8.count + offer.referenceName.utf8.count
                + AppCatalogue.rowBytes / 4 * offer.prices.count
        }
        return AppCatalogue.rowBytes * rows + referenceName.utf8.count + localizations.bytes + offered
    }
}

extension SubscriptionGroup {
    /// The most groups of an app.
    static let limit = 1000

    /// The error for a new group of an app with ``limit`` groups.
    static let full = DomainError(
        .invalid, "An app has at most \(limit) groups of subscriptions: choose one of them.", reason: .groupsFull)

    /// The bytes that the group counts of its app's catalogue.
    var bytes: Int {
        AppCatalogue.rowBytes * (1 + localizations.count) + referenceName.utf8.count + localizations.bytes
    }
}

extension [Product.Localization] {
    fileprivate var bytes: Int { reduce(0) { $0 + $1.title.utf8.count + $1.description.utf8.count } }
}
