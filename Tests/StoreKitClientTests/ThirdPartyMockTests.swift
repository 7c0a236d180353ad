// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import Testing

struct ThirdPartyMockTests {
    @Test("An observer's optional method can be called with or without a question mark")
    func anOptionalMethodIsCalledWithAQuestionMarkOrWithout() {
        let queue = SpyingQueue()
        let last = NotingObserver()
        let observer = ForwardingObserver(paymentQueue: queue)
        observer.next = last
        let transaction = StoredTransaction(payment: SKPayment(), transactionState: .failed)

        queue.observers.first?.paymentQueue(queue, updatedTransactions: [transaction])
        queue.observers.first?.paymentQueue?(queue, updatedTransactions: [transaction])

        #expect(last.seen == [.failed, .failed])
        // The last observer doesn't have the method, so that the forwarder's answer counts.
        #expect(observer.paymentQueue(queue, shouldAddStorePayment: SKPayment(), for: SKProduct()))
        #expect(queue.askEverybody().isEmpty)
    }

    @Test("A stubbed request answers its delegate") func aStubbedRequestAnswersItsDelegate() {
        let request = StubRequest(productIdentifiers: ["com.example.apple"])
        let holder = RequestHolder(request)
        holder.start()
        #expect(holder.received == ["com.example.apple"])

        request.fails = true
        holder.start()
        #expect(holder.failures == 1)
    }

    @Test("An app uses the queue through a protocol of its own") func aQueueIsUsedThroughAProtocolOfTheApp() {
        let queue = SpyingQueue()
        let door: any PaymentQueueing = queue
        let delegate = SilentDelegate()
        queue.delegate = delegate

        door.add(SKPayment(product: StoredProduct(productIdentifier: "com.example.apple")))

        #expect(queue.addedPayments.map(\.productIdentifier) == ["com.example.apple"])
        #expect(queue.mockDelegate === delegate)
    }

    @Test("A test makes a product by setting its keys") func aProductIsMadeByItsKeys() {
        let period = SKProductSubscriptionPeriod()
        period.setValue(3, forKey: "numberOfUnits")
        period.setValue(SKProduct.PeriodUnit.month.rawValue, forKey: "unit")
        let offer = SKProductDiscount()
        offer.setValue(NSDecimalNumber(string: "0.49"), forKey: "price")
        offer.setValue(SKProductDiscount.PaymentMode.freeTrial.rawValue, forKey: "paymentMode")
        offer.setValue(1, forKey: "type")
        let product = SKProduct()
        let identifier: String? = "com.example.apple"
        product.setValue(identifier, forKey: "productIdentifier")
        product.setValue("1.99", forKey: "price")
        product.setValue(NSLocale(localeIdentifier: "de_DE"), forKey: "priceLocale")
        product.setValue(period, forKey: "subscriptionPeriod")
        product.setValue([offer], forKey: "discounts")
        product.setValue(true, forKey: "downloadable")

        #expect(product.productIdentifier == "com.example.apple")
        #expect(product.price == NSDecimalNumber(string: "1.99"))
        #expect(product.priceLocale.identifier == "de_DE")
        #expect(product.subscriptionPeriod?.unit == .month)
        #expect(product.subscriptionPeriod?.numberOfUnits == 3)
        #expect(product.discounts.first?.paymentMode == .freeTrial)
        #expect(product.discounts.first?.type == .subscription)
        #expect(product.isDownloadable && product.downloadable)

        product.setValue(nil, forKey: "subscriptionPeriod")
        #expect(product.subscriptionPeriod == nil)
    }

    @Test("A test makes a transaction and a response by setting their keys") func aTransactionIsMadeByItsKeys() {
        let transaction = SKPaymentTransaction()
        transaction.setValue(SKPaymentTransactionState.restored.rawValue, forKey: "transactionState")
        transaction.setValue(SKError(.paymentCancelled), forKey: "error")
        transaction.setValue(StoredTransaction(payment: SKPayment(), transactionState: .purchased), forKey: "original")
        let response = SKProductsResponse()
        response.setValue([StoredProduct(productIdentifier: "com.example.apple")], forKey: "products")

        #expect(transaction.transactionState == .restored)
        #expect((transaction.error as? SKError)?.code == .paymentCancelled)
        #expect(transaction.original?.transactionState == .purchased)
        #expect(response.products.map(\.productIdentifier) == ["com.example.apple"])
    }

    @Test("A transaction's error can be any error") func aTransactionsErrorIsAnyError() {
        let transaction = SKPaymentTransaction()
        transaction.setValue(NSError(domain: "elsewhere", code: 123), forKey: "error")
        #expect((transaction.error as NSError?)?.code == 123)
        transaction.setValue(URLError(.timedOut), forKey: "error")
        #expect((transaction.error as? URLError)?.code == .timedOut)
        transaction.setValue(nil, forKey: "error")
        #expect(transaction.error == nil)
    }

    @Test("Setting an unknown key, or a value of the wrong type, ends the process")
    func aKeyThatIsNotThereEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            SKProduct().setValue("apple", forKey: "fruit")
        }
        await #expect(processExitsWith: .failure) {
            SKProduct().setValue("apple", forKey: "priceLocale")
        }
    }

    @Test("Refusing a receipt ends the process with status 173") func refusingAReceiptEndsTheProcess() async {
        await #expect(processExitsWith: .exitCode(173)) {
            SKTerminateForInvalidReceipt()
        }
    }
}
