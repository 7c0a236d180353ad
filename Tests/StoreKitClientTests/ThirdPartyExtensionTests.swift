// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

struct ThirdPartyExtensionTests {
    @Test("An initialiser of the app makes a product, and its values are read by their keys")
    func aProductMadeByAnInitialiserOfTheApp() {
        let product = SKProduct(
            identifier: "com.example.apple", price: "0.99", locale: Locale(identifier: "en_US"),
            offer: NarrowDiscount())

        #expect(product.value(forKey: "productIdentifier") as? String == "com.example.apple")
        #expect(product.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "0.99"))
        #expect((product.value(forKey: "introductoryPrice") as? SKProductDiscount)?.identifier == "offer")
        #expect(product.value(forKey: "subscriptionPeriod") as? SKProductSubscriptionPeriod == nil)
        #expect(product.downloadContentLengths == [0])
        product.setValue([Int](), forKey: "downloadContentLengths")
        #expect(product.downloadContentLengths.isEmpty)
    }

    @Test("A property that is read by its key has the value of the subclass")
    func aPropertyReadByItsKeyIsWhatASubclassSays() {
        let transaction = StoredTransaction(payment: SKPayment(productIdentifier: "a"), transactionState: .restored)

        #expect(transaction.value(forKey: "transactionState") as? Int == 3)
        #expect((transaction.value(forKey: "transactionState") as? NSNumber)?.intValue == 3)
        #expect(transaction.paymentIfPresent?.productIdentifier == "a")
        #expect(NarrowDiscount().value(forKey: "identifier") as? String == "offer")
    }

    @Test("A transaction without a payment has none under its key")
    func aTransactionThatWasNeverPaidHasNoPaymentByItsKey() {
        #expect(SKPaymentTransaction.unpaid.paymentIfPresent == nil)
        #expect(SKPaymentTransaction.unpaid.payment.productIdentifier.isEmpty)
    }

    @Test("Reading an unknown key ends the process") func aKeyThatCanNotBeReadEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            _ = SKProduct().value(forKey: "fruit")
        }
    }

    @Test("The app recognises an error that a test has made") func anErrorThatATestMadeIsRecognised() {
        let transaction = SettableTransaction()
        transaction.setValue(SKPaymentTransactionState.failed.rawValue, forKey: "transactionState")
        transaction.error = NSError(domain: SKErrorDomain, code: SKError.unknown.rawValue)

        #expect(transaction.isFailureOfUnknownCause)
        #expect((NSError(domain: SKErrorDomain, code: 2) as? SKError)?.errorDescription == "cancelled")
        #expect("\(SKError.Code.clientInvalid)" == "clientInvalid")
    }

    @Test("Subclasses of requests answer, count their starts and keep their identifiers")
    func requestsOfTheAppAnswerAndCount() {
        var answers = 0
        let refresh = RefreshingRequest { error in answers += error == nil ? 1 : 0 }
        let recording = RecordingRequest(productIdentifiers: ["com.example.pear"])
        refresh.start()
        recording.start()

        #expect(answers == 1)
        #expect(recording.starts == 1)
        #expect(RecordingRequest(productIdentifiers: ["a"]).identifiers == ["a"])
        #expect([refresh as SKRequest: 1, recording: 2][recording] == 2)
    }
}

extension WithSession {
    @MainActor
    struct ThirdPartyQueueTests {
        @Test("A subclassed queue delivers the updates and finishes the transaction")
        func aQueueOfTheAppThatCallsItsSuperclassIsToldAndFinishes() async throws {
            let session = try makeSession()
            let queue = NotingQueue(known: ["com.example.rocketCar"])
            let observer = NotingObserver()
            queue.add(observer)
            queue.add(SKPayment(productIdentifier: "com.example.rocketCar"))
            await mainQueueUpdates()

            #expect(observer.seen == [.purchasing, .purchased])
            #expect(queue.finished?.transactionState == .purchased)
            #expect(queue.transactions.isEmpty)
            #expect(queue.isPayingAllowed)
            #expect(session.allTransactions().count == 1)
            queue.remove(observer)
        }
    }
}
