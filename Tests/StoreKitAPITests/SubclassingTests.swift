// SPDX-License-Identifier: Apache-2.0

import StoreKit
import Testing

struct SubclassingTests {
    @Test("A derived products request answers its delegate") func aDerivedProductsRequestAnswersItsDelegate() {
        let request = DerivedProductsRequest(productIdentifiers: ["com.example.apple"])
        let delegate = ProductsDelegate()
        request.delegate = delegate

        request.start()

        #expect(request.started == 1)
        #expect(delegate.received.map(\.localizedTitle) == ["Apple"])
        #expect(delegate.finished == 1)
    }

    @Test("A products request has the same delegate under both of its types")
    func aProductsRequestHasOneDelegateUnderBothTypes() {
        let request = SKProductsRequest(productIdentifiers: [])
        let delegate = ProductsDelegate()

        (request as SKRequest).delegate = delegate

        #expect(request.delegate === delegate)
    }

    @Test("A request references its delegate weakly") func aDelegateIsHeldWeakly() {
        let request = SKProductsRequest(productIdentifiers: [])
        var delegate: ProductsDelegate? = ProductsDelegate()
        request.delegate = delegate

        #expect(request.delegate === delegate)
        delegate = nil
        #expect(request.delegate == nil)
    }

    @Test("A derived queue delivers and finishes derived transactions")
    func aDerivedQueueHandsOverAndFinishesDerivedTransactions() {
        let queue = DerivedQueue.default()
        let observer = Observer()

        queue.add(observer)
        queue.add(SKPayment(product: DerivedProduct()))

        #expect(observer.seen == [.purchased])
        #expect(queue.finished.map(\.transactionIdentifier) == ["2000000000000001"])
        #expect(queue.added.map(\.productIdentifier) == ["com.example.apple"])
        #expect(DerivedQueue.canMakePayments() == false)
    }

    @Test("The base class returns the values of its subclass") func derivedValuesAreSeenThroughTheBaseClass() {
        let product: SKProduct = DerivedProduct()
        let transaction: SKPaymentTransaction = DerivedTransaction(state: .restored)

        #expect(product.subscriptionPeriod?.numberOfUnits == 3)
        #expect(product.introductoryPrice?.type == .subscription)
        #expect(transaction.original?.transactionState == .purchased)
        #expect((transaction.error as? SKError)?.code == .paymentCancelled)
    }

    @Test("A copy of a derived payment has the values of the subclass")
    func aDerivedPaymentIsCopiedByWhatItSays() throws {
        let copy = try #require(DerivedPayment().copy() as? SKPayment)

        #expect(copy.productIdentifier == "com.example.orange")
        #expect(copy.quantity == 3)
        #expect(copy.simulatesAskToBuyInSandbox)
    }

    @Test("A type that leaves out the optional methods has their default answers") func optionalMethodsMayBeLeftOut() {
        let queue = DerivedQueue.default()
        let observer: any SKPaymentTransactionObserver = Observer()
        let delegate: any SKPaymentQueueDelegate = SilentQueueDelegate()

        #expect(observer.paymentQueue(queue, shouldAddStorePayment: SKPayment(), for: SKProduct()) == false)
        #expect(delegate.paymentQueue(queue, shouldContinue: SKPaymentTransaction(), in: SKStorefront()))
        #expect(delegate.paymentQueueShouldShowPriceConsent(queue))
    }
}
