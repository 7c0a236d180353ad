// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// What was purchased, kept in UserDefaults: a Boolean under the identifier of
/// what is owned for good, a number under that of what is used up.
@MainActor
final class Purchases {
    /// Transactions of consumables that are counted and may come again,
    /// because they aren't finished yet.
    private static let countedKey = "BuyFruitCountedTransactions"

    private let defaults = UserDefaults.standard
    private let copy = PurchaseCopy()
    private let productIdentifiers: Set<String>
    private let consumableIdentifiers: Set<String>
    private(set) var purchasedProductIdentifiers: Set<String>

    init(productIdentifiers: Set<String>, consumableIdentifiers: Set<String>) {
        self.productIdentifiers = productIdentifiers
        self.consumableIdentifiers = consumableIdentifiers
        let defaults = defaults
        copy.putBack(into: defaults)
        purchasedProductIdentifiers = productIdentifiers.subtracting(consumableIdentifiers)
            .filter { defaults.bool(forKey: $0) }
    }

    func isPurchased(_ productIdentifier: String) -> Bool {
        purchasedProductIdentifiers.contains(productIdentifier)
    }

    func isConsumable(_ productIdentifier: String) -> Bool {
        consumableIdentifiers.contains(productIdentifier)
    }

    func count(of productIdentifier: String) -> Int {
        isConsumable(productIdentifier) ? defaults.integer(forKey: productIdentifier) : 0
    }

    /// Writes down what a purchased or restored transaction brings. Call it
    /// before finishing the transaction: until then it comes again.
    func provideContent(for transaction: SKPaymentTransaction) {
        let payment = (transaction.original ?? transaction).payment
        let productIdentifier = payment.productIdentifier
        if isConsumable(productIdentifier) {
            countOnce(transaction, quantity: payment.quantity)
        } else {
            purchasedProductIdentifiers.insert(productIdentifier)
            defaults.set(true, forKey: productIdentifier)
        }
        save()
        NotificationCenter.default.post(name: .IAPHelperProductPurchased, object: productIdentifier)
    }

    /// The count and the list of what is counted are saved together: a
    /// transaction that comes again after a crash doesn't count twice.
    private func countOnce(_ transaction: SKPaymentTransaction, quantity: Int) {
        guard let identifier = transaction.transactionIdentifier else { return }
        var counted = defaults.stringArray(forKey: Self.countedKey) ?? []
        guard !counted.contains(identifier) else { return }
        counted.append(identifier)
        let productIdentifier = transaction.payment.productIdentifier
        defaults.set(count(of: productIdentifier) + quantity, forKey: productIdentifier)
        defaults.set(counted, forKey: Self.countedKey)
    }

    /// Drops transactions that are finished and won't come again.
    func forget(_ transactions: [SKPaymentTransaction]) {
        let counted = defaults.stringArray(forKey: Self.countedKey) ?? []
        let finished = Set(transactions.compactMap(\.transactionIdentifier))
        guard counted.contains(where: finished.contains) else { return }
        defaults.set(counted.filter { !finished.contains($0) }, forKey: Self.countedKey)
        save()
    }

    /// Returns when what was set is on disk, whatever happens next.
    private func save() {
        // The copy comes first: while the defaults are written they may be lost.
        copy.save(productIdentifiers.union([Self.countedKey]), of: defaults)
        _ = defaults.synchronize()
    }
}
