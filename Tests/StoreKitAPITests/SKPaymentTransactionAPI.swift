// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKPaymentTransactionAPI(_ transaction: SKPaymentTransaction) {
    let _: any Sendable = transaction
    let _: SKPaymentTransaction = SKPaymentTransaction()
    let _: (any Error)? = transaction.error
    let _: SKPaymentTransaction? = transaction.original
    let _: SKPayment = transaction.payment
    let _: [SKDownload] = transaction.downloads
    let _: Date? = transaction.transactionDate
    let _: String? = transaction.transactionIdentifier
    let _: Data? = transaction.transactionReceipt
    let _: SKPaymentTransactionState = transaction.transactionState
}

func checkSKPaymentTransactionStateAPI(_ state: SKPaymentTransactionState) -> Int {
    let _: SKPaymentTransactionState? = SKPaymentTransactionState(rawValue: 0)
    switch state {
    case .purchasing, .purchased, .failed, .restored, .deferred: return state.rawValue
    @unknown default: return -1
    }
}

class DerivedTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let state: SKPaymentTransactionState
    init(state: SKPaymentTransactionState) {
        self.state = state
        super.init()
    }
    override var error: (any Error)? { SKError(.paymentCancelled) }
    override var original: SKPaymentTransaction? { DerivedTransaction(state: .purchased) }
    override var payment: SKPayment { DerivedPayment() }
    override var downloads: [SKDownload] { [] }
    override var transactionDate: Date? { Date(timeIntervalSince1970: 0) }
    override var transactionIdentifier: String? { "2000000000000001" }
    override var transactionReceipt: Data? { Data() }
    override var transactionState: SKPaymentTransactionState { state }
}
