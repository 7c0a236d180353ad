// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// The customer's purchases, kept in UserDefaults: a Boolean under the
/// identifier of a non-consumable, a count under that of a consumable.
/// Subscriptions aren't kept here: the receipt tells until when they are paid.
@MainActor
final class Purchases {
    /// The identifiers of transactions of consumables that are counted and
    /// not finished: the queue can deliver them again.
    private static let countedKey = "BuyFruitCountedTransactions"

    private let defaults = UserDefaults.standard
    private let copy = PurchaseCopy()
    private let productIdentifiers: Set<String>
    private let consumableIdentifiers: Set<String>
    private let subscriptionIdentifiers: Set<String>
    private(set) var purchasedProductIdentifiers: Set<String>

    init(
        productIdentifiers: Set<String>, consumableIdentifiers: Set<String>, subscriptionIdentifiers: Set<String>
    ) {
        self.productIdentifiers = productIdentifiers
        self.consumableIdentifiers = consumableIdentifiers
        self.subscriptionIdentifiers = subscriptionIdentifiers
        let defaults = defaults
        copy.putBack(into: defaults)
        purchasedProductIdentifiers =
            productIdentifiers
            .subtracting(consumableIdentifiers).subtracting(subscriptionIdentifiers)
            .filter { defaults.bool(forKey: $0) }
        for identifier in productIdentifiers.sorted() {
            let state = purchasedProductIdentifiers.contains(identifier) ? "Previously purchased" : "Not purchased"
            NSLog("%@", "\(state): \(identifier)")
        }
    }

    func isPurchased(_ productIdentifier: String) -> Bool {
        purchasedProductIdentifiers.contains(productIdentifier)
    }

    func isSubscription(_ productIdentifier: String) -> Bool {
        subscriptionIdentifiers.contains(productIdentifier)
    }

    func isConsumable(_ productIdentifier: String) -> Bool {
        consumableIdentifiers.contains(productIdentifier)
    }

    func count(of productIdentifier: String) -> Int {
        isConsumable(productIdentifier) ? defaults.integer(forKey: productIdentifier) : 0
    }

    /// Records a purchased or restored product. Call it before finishing the
    /// transaction: the queue delivers an unfinished transaction again at the
    /// next launch.
    func provideContent(for transaction: SKPaymentTransaction) {
        NSLog("%@", "provideContentForProductIdentifier")
        let payment = (transaction.original ?? transaction).payment
        let productIdentifier = payment.productIdentifier
        if isConsumable(productIdentifier) {
            countOnce(transaction, quantity: payment.quantity)
        } else if !isSubscription(productIdentifier) {
            purchasedProductIdentifiers.insert(productIdentifier)
            defaults.set(true, forKey: productIdentifier)
        }
        save()
        NotificationCenter.default.post(name: .IAPHelperProductPurchased, object: productIdentifier)
    }

    /// Counts a transaction once. The count and the list of counted
    /// transactions are saved together, so that a transaction that is
    /// delivered again after a crash isn't counted twice.
    private func countOnce(_ transaction: SKPaymentTransaction, quantity: Int) {
        guard let identifier = transaction.transactionIdentifier else { return }
        var counted = defaults.stringArray(forKey: Self.countedKey) ?? []
        guard !counted.contains(identifier) else { return }
        counted.append(identifier)
        let productIdentifier = transaction.payment.productIdentifier
        defaults.set(count(of: productIdentifier) + quantity, forKey: productIdentifier)
        defaults.set(counted, forKey: Self.countedKey)
    }

    /// Removes finished transactions from the list of counted ones.
    func forget(_ transactions: [SKPaymentTransaction]) {
        let counted = defaults.stringArray(forKey: Self.countedKey) ?? []
        let finished = Set(transactions.compactMap(\.transactionIdentifier))
        guard counted.contains(where: finished.contains) else { return }
        defaults.set(counted.filter { !finished.contains($0) }, forKey: Self.countedKey)
        save()
    }

    /// Writes the purchases to disk before it returns.
    private func save() {
        // The copy is written first, because the defaults can be lost while they are written.
        copy.save(productIdentifiers.union([Self.countedKey]), of: defaults)
        _ = defaults.synchronize()
    }
}
