// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import Testing

@testable import StoreKit

struct SKPaymentTests {
    @Test("A payment has a quantity of one") func aPaymentIsForOnePiece() {
        #expect(SKPayment(productIdentifier: "com.example.pear").quantity == 1)
    }

    @Test("A copy is equal to its payment, and doesn't change with it")
    func aCopyIsEqualAndDoesNotFollowTheOriginal() throws {
        let payment = SKMutablePayment(productIdentifier: "com.example.pear")
        payment.quantity = 4
        let copy = try #require(payment.copy() as? SKPayment)

        #expect(copy == payment)
        #expect(!(copy is SKMutablePayment))

        payment.quantity = 5
        #expect(copy.quantity == 4)
        #expect(copy != payment)
    }

    @Test("A mutable copy changes without its original") func aMutableCopyChangesAlone() throws {
        let payment = SKPayment(productIdentifier: "com.example.pear")
        let copy = try #require(payment.mutableCopy() as? SKMutablePayment)
        copy.productIdentifier = "com.example.apple"

        #expect(payment.productIdentifier == "com.example.pear")
    }

    @Test("The agent's payment has every field of the app's payment")
    func theAgentIsToldAllThatThePaymentSays() throws {
        let payment = SKMutablePayment(productIdentifier: "com.example.pear")
        payment.quantity = 3
        payment.applicationUsername = "somebody"
        payment.simulatesAskToBuyInSandbox = true
        let nonce = try #require(UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-050403020100"))
        payment.paymentDiscount = SKPaymentDiscount(
            identifier: "spring", keyIdentifier: "KEY", nonce: nonce, signature: "c2ln", timestamp: 1_700_000_000_000)

        let told = AgentPayment(
            productIdentifier: "com.example.pear", quantity: 3, applicationUsername: "somebody",
            simulatesAskToBuy: true,
            discount: DiscountInfo(
                identifier: "spring", keyIdentifier: "KEY", nonce: "0f0e0d0c-0b0a-0908-0706-050403020100",
                signature: "c2ln", timestamp: 1_700_000_000_000))
        #expect(try AgentPayment(payment) == told)
    }

    @Test("A payment with request data is refused") func whatTheStoreCannotHonourIsRefused() {
        let reserved = SKMutablePayment(productIdentifier: "com.example.pear")
        reserved.requestData = Data([1])

        #expect(code { try AgentPayment(reserved) } == .unauthorizedRequestData)
    }

    private func code(of work: () throws -> AgentPayment) -> SKError.Code? {
        do {
            _ = try work()
            return nil
        } catch {
            return (error as? SKError)?.code
        }
    }
}
