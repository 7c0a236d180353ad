// SPDX-License-Identifier: Apache-2.0

import StoreKit

/// The response of `/state.json`: the app's state for scripts and tests.
struct ShopState: Encodable, Sendable {
    var products: [Row]
    var isLoading: Bool
    var hasFailed: Bool
    var canMakePayments: Bool
    var purchased: [String]
    /// The subscription of which the receipt tells; absent without one.
    var subscription: SubscriptionState?
    var unfinishedTransactions: Int
    var receiptPath: String?
    var receiptExists: Bool
}

/// The subscription of the app's state.
struct SubscriptionState: Encodable, Sendable {
    var product: String
    /// Such as `2026-12-22T10:00:00Z`.
    var paidUntil: String
    var isPaid: Bool

    init(_ subscription: Subscription) {
        product = subscription.product
        paidUntil = subscription.paidUntil.formatted(.iso8601)
        isPaid = subscription.isPaid
    }
}

extension Shop {
    var state: ShopState {
        ShopState(
            products: rows, isLoading: isLoading, hasFailed: hasFailed,
            canMakePayments: SKPaymentQueue.canMakePayments(),
            purchased: helper.purchases.purchasedProductIdentifiers.sorted(),
            subscription: subscription.map(SubscriptionState.init),
            unfinishedTransactions: SKPaymentQueue.default().transactions.count,
            receiptPath: Receipt.path, receiptExists: Receipt.exists)
    }
}
