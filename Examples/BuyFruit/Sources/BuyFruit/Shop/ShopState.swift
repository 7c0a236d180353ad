// SPDX-License-Identifier: Apache-2.0

import StoreKit

/// The response of `/state.json`: the app's state for scripts and tests.
struct ShopState: Encodable, Sendable {
    var products: [Row]
    var isLoading: Bool
    var hasFailed: Bool
    var canMakePayments: Bool
    var purchased: [String]
    var unfinishedTransactions: Int
    var receiptPath: String?
    var receiptExists: Bool
}

extension Shop {
    var state: ShopState {
        ShopState(
            products: rows, isLoading: isLoading, hasFailed: hasFailed,
            canMakePayments: SKPaymentQueue.canMakePayments(),
            purchased: helper.purchases.purchasedProductIdentifiers.sorted(),
            unfinishedTransactions: SKPaymentQueue.default().transactions.count,
            receiptPath: Receipt.path, receiptExists: Receipt.exists)
    }
}
