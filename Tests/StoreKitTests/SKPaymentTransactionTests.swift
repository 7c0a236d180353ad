// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreCore
import Testing

@testable import StoreKit

struct SKPaymentTransactionTests {
    private let pear = AgentPayment(productIdentifier: "com.example.pear", quantity: 2, applicationUsername: "somebody")

    @Test("A purchased transaction has the values of the agent's transaction")
    func aPurchasedTransactionSaysWhatTheAgentSays() {
        let transaction = SKPaymentTransaction(
            AgentTransaction(
                id: "a", state: .purchased, payment: pear, transactionIdentifier: "2000000000000001", date: 1500))

        #expect(transaction.transactionState == .purchased)
        #expect(transaction.transactionIdentifier == "2000000000000001")
        #expect(transaction.transactionDate == Date(timeIntervalSince1970: 1.5))
        #expect(transaction.payment.productIdentifier == "com.example.pear")
        #expect(transaction.payment.quantity == 2)
        #expect(transaction.payment.applicationUsername == "somebody")
        #expect(transaction.error == nil)
        #expect(transaction.original == nil)
        #expect(transaction.downloads.isEmpty)
    }

    @Test("A failed transaction has an SKError") func aFailedTransactionCarriesAnSKError() {
        let transaction = SKPaymentTransaction(
            AgentTransaction(
                id: "a", state: .failed, payment: pear, date: 0,
                failure: PurchaseFailure(.paymentCancelled, "The customer cancelled.")))

        #expect((transaction.error as? SKError)?.code == .paymentCancelled)
    }

    @Test("A restored transaction has its original transaction") func aRestoredTransactionHasItsOriginal() {
        let transaction = SKPaymentTransaction(
            AgentTransaction(
                id: "a", state: .restored, payment: pear, transactionIdentifier: "2000000000000002", date: 9000,
                original: .init(transactionIdentifier: "2000000000000001", date: 1000, payment: pear)))

        #expect(transaction.transactionState == .restored)
        #expect(transaction.original?.transactionState == .purchased)
        #expect(transaction.original?.transactionIdentifier == "2000000000000001")
        #expect(transaction.original?.transactionDate == Date(timeIntervalSince1970: 1))
        #expect(transaction.original?.payment.productIdentifier == "com.example.pear")
    }

    @Test("A purchasing transaction has no date") func nothingIsDatedBeforeItIsDecided() {
        let transaction = SKPaymentTransaction(AgentTransaction(id: "a", state: .purchasing, payment: pear, date: 1))
        #expect(transaction.transactionDate == nil)
    }

    @Test("Transactions of one entry are equal") func snapshotsOfOneEntryAreEqual() {
        let before = SKPaymentTransaction(AgentTransaction(id: "a", state: .purchasing, payment: pear, date: 1))
        let after = SKPaymentTransaction(AgentTransaction(id: "a", state: .purchased, payment: pear, date: 2))
        let other = SKPaymentTransaction(AgentTransaction(id: "b", state: .purchased, payment: pear, date: 2))

        #expect(before == after)
        #expect(Set([before, after, other]).count == 2)
        #expect(SKPaymentTransaction() != SKPaymentTransaction())
    }
}
