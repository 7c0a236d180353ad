// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// Every member of a session, tested by the updates that the app receives.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct SKTestSessionTests {
    private let configuration: Configuration
    private let session: SKTestSession
    private let app: App

    init() throws {
        configuration = try Configuration()
        session = try configuration.session()
        app = App()
    }

    @Test("A session with disabled dialogs completes a purchase") func aPurchaseIsMadeWithoutADialog() async throws {
        await app.buy("apple")

        #expect(app.heard == ["purchasing apple", "purchased apple", "removed apple"])
        let transaction = try #require(session.allTransactions().first)
        #expect(transaction.productIdentifier == "apple")
        #expect(transaction.state == .purchased)
        #expect(transaction.originalTransactionIdentifier == transaction.identifier)
        #expect(transaction.purchaseDate == session.currentDate)
        #expect(transaction.cancelDate == nil && transaction.expirationDate == nil)
        #expect(!transaction.hasPurchaseIssue && !transaction.pendingAskToBuyConfirmation)
        #expect(!transaction.autoRenewingEnabled && !transaction.isPendingPriceIncreaseConsent)
        app.quit()
    }

    @Test("A dialog that isn't disabled waits until the test confirms or cancels it")
    func aDialogThatIsNotDisabledWaitsForTheCustomer() async throws {
        session.disableDialogs = false
        await app.buy("apple")
        #expect(app.heard == ["purchasing apple"])

        try session.confirmDialogs()
        #expect(app.heard == ["purchasing apple", "purchased apple", "removed apple"])

        await app.buy("juice")
        try session.cancelDialogs()
        #expect(app.errors == [.paymentCancelled])
        app.quit()
    }

    @Test("An approved request to buy is purchased, and can't be declined any more")
    func aRequestToBuyIsApproved() async throws {
        session.askToBuyEnabled = true
        await app.buy("apple")
        #expect(app.heard == ["purchasing apple", "deferred apple"])
        let waiting = try #require(session.allTransactions().first)
        #expect(waiting.pendingAskToBuyConfirmation && waiting.state == .deferred)

        try session.approveAskToBuyTransaction(identifier: waiting.identifier)

        #expect(app.heard.suffix(2) == ["purchased apple", "removed apple"])
        #expect(session.allTransactions().map(\.identifier) == [waiting.identifier])
        #expect(throws: SKTestError.self) {
            try session.declineAskToBuyTransaction(identifier: waiting.identifier)
        }
        app.quit()
    }

    @Test("A payment's own simulation of Ask to Buy is for the sandbox: a session without it sells")
    func aPaymentDoesNotSimulateAskToBuyInASession() async throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = "apple"
        payment.simulatesAskToBuyInSandbox = true
        SKPaymentQueue.default().add(payment)
        await mainQueueUpdates()
        #expect(app.heard == ["purchasing apple", "purchased apple", "removed apple"])
        app.quit()
    }

    @Test("A declined request to buy fails, and its product can be bought again")
    func aRequestToBuyIsDeclinedAndMayBeMadeAgain() async throws {
        session.askToBuyEnabled = true
        await app.buy("apple")
        let waiting = try #require(session.allTransactions().first)

        try session.declineAskToBuyTransaction(identifier: waiting.identifier)

        #expect(app.heard.suffix(2) == ["failed apple", "removed apple"])
        #expect(session.allTransactions().isEmpty)
        session.askToBuyEnabled = false
        await app.buy("apple")
        #expect(app.heard.suffix(2) == ["purchased apple", "removed apple"])
        app.quit()
    }

    @Test("An interrupted purchase fails, and is delivered when its issue is resolved")
    func anInterruptedPurchaseFailsAndComesLaterWithoutBeingAskedFor() async throws {
        session.interruptedPurchasesEnabled = true
        await app.buy("apple")
        #expect(app.heard == ["purchasing apple", "failed apple", "removed apple"])
        let waiting = try #require(session.allTransactions().first)
        #expect(waiting.hasPurchaseIssue && waiting.state == .failed)

        try session.resolveIssueForTransaction(identifier: waiting.identifier)

        #expect(app.heard.suffix(2) == ["purchased apple", "removed apple"])
        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [false])
        app.quit()
    }

    @Test(
        "Transactions fail with the error that the test sets",
        arguments: [
            SKError.Code.unknown, .invalidOfferIdentifier, .invalidSignature, .missingOfferParams, .invalidOfferPrice,
        ])
    func transactionsFailWithTheErrorThatIsSet(_ code: SKError.Code) async {
        session.failTransactionsEnabled = true
        session.failureError = code
        await app.buy("apple")

        #expect(app.heard == ["purchasing apple", "failed apple", "removed apple"])
        #expect(app.errors == [code])
        #expect(session.allTransactions().isEmpty)
        #expect(throws: SKError.self) { try session.buyProduct(productIdentifier: "apple") }
        app.quit()
    }

    @Test("Another storefront has prices in another currency, and an unknown storefront isn't set")
    func anotherStorefrontHasOtherPrices() async throws {
        session.storefront = "DEU"
        #expect(app.heard.contains("storefront DEU"))
        #expect(SKPaymentQueue.default().storefront?.identifier == "143443")
        let product = try #require(await products(["apple"]).first)
        #expect(product.priceLocale.currency?.identifier == "EUR")

        session.storefront = "Atlantis"
        #expect(session.storefront == "DEU")
        app.quit()
    }

    @Test("The titles of products are in the session's language") func titlesAreInTheSessionsLanguage() async throws {
        #expect(await products(["apple", "pear"]).map(\.localizedTitle) == ["Apple"])
        session.locale = Locale(identifier: "de_DE")
        #expect(await products(["apple"]).map(\.localizedTitle) == ["Apfel"])
        app.quit()
    }

    @Test("A session buys a product outside the app, and refuses an unknown product")
    func aProductIsBoughtOutsideTheApp() throws {
        try session.buyProduct(productIdentifier: "apple")
        #expect(app.heard == ["purchased apple", "removed apple"])

        #expect(throws: SKTestError(.invalidProductIdentifier).code) {
            do {
                try session.buyProduct(productIdentifier: "pear")
            } catch let error as SKTestError {
                throw error.code
            }
        }
        app.quit()
    }

    @Test("A refund revokes the purchase") func aRefundRevokesWhatWasBought() async throws {
        await app.buy("apple")
        let transaction = try #require(session.allTransactions().first)

        try session.refundTransaction(identifier: transaction.identifier)

        #expect(app.heard.last == "revoked apple")
        #expect(session.allTransactions().first?.cancelDate == session.currentDate)
        app.quit()

        // The call was acknowledged, so that a later observer doesn't get it.
        let next = App()
        await mainQueueUpdates()
        #expect(next.heard.isEmpty)
        next.quit()
    }

    @Test("A refund of an unfinished purchase removes it from the queue")
    func aRefundOfAnUnfinishedPurchaseTakesItOutOfTheQueue() async throws {
        app.finishes = false
        await app.buy("apple")
        let transaction = try #require(session.allTransactions().first)

        try session.refundTransaction(identifier: transaction.identifier)

        #expect(app.heard.contains("removed apple") && app.heard.contains("revoked apple"))
        #expect(SKPaymentQueue.default().transactions.isEmpty)
        app.quit()
    }

    @Test("A deleted transaction leaves the queue, and isn't restored")
    func aDeletedTransactionNeverWas() async throws {
        app.finishes = false
        await app.buy("apple")
        let transaction = try #require(session.allTransactions().first)

        try session.deleteTransaction(identifier: transaction.identifier)

        #expect(session.allTransactions().isEmpty)
        #expect(SKPaymentQueue.default().transactions.isEmpty)
        #expect(app.heard.last == "removed apple")
        SKPaymentQueue.default().restoreCompletedTransactions()
        await mainQueueUpdates()
        #expect(app.heard.last == "restore finished")
        app.quit()
    }

    @Test("A change of an unknown transaction fails with an error that names its identifier")
    func whatIsNotThereCannotBeChanged() {
        for change in [
            session.deleteTransaction, session.refundTransaction, session.approveAskToBuyTransaction,
            session.declineAskToBuyTransaction, session.resolveIssueForTransaction,
        ] as [(UInt) throws -> Void] {
            let error = #expect(throws: SKTestError.self) { try change(42) }
            #expect(error?.code == .noTransactionFound)
            #expect(error?.localizedDescription.contains("42") == true)
        }
        app.quit()
    }

    @Test("Clearing removes the transactions and the receipt, and keeps the settings")
    func clearingLeavesTheSettingsAndNothingElse() async throws {
        session.storefront = "DEU"
        await app.buy("apple")
        let receipt = try #require(Bundle.main.appStoreReceiptURL)
        #expect(FileManager.default.fileExists(atPath: receipt.path))

        session.clearTransactions()

        #expect(session.allTransactions().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: receipt.path))
        #expect(session.storefront == "DEU" && session.disableDialogs)
        await app.buy("apple")
        #expect(session.allTransactions().count == 1)
        app.quit()
    }

    @Test("Resetting restores the default settings") func resettingForgetsTheSettingsToo() async throws {
        session.storefront = "DEU"
        session.askToBuyEnabled = true
        session.resetToDefaultState()

        #expect(session.storefront == "USA")
        #expect(!session.askToBuyEnabled && !session.disableDialogs)
        app.quit()
    }

    @Test("The session's time moves only when the test advances it") func timeMovesOnlyWhenItIsToldTo() async throws {
        let before = session.currentDate
        await app.buy("juice")
        #expect(session.currentDate == before)

        try session.advance(by: .seconds(86400))
        await app.buy("juice")

        let dates = session.allTransactions().map(\.purchaseDate)
        #expect(dates == [before, before.addingTimeInterval(86400)])
        app.quit()
    }

    @Test("A restore delivers the non-consumable purchase, and not the consumable one")
    func whatWasBoughtIsRestored() async {
        await app.buy("apple")
        await app.buy("juice")
        SKPaymentQueue.default().restoreCompletedTransactions()
        await mainQueueUpdates()

        #expect(app.heard.suffix(3).contains("restored apple"))
        #expect(app.heard.contains("restore finished"))
        #expect(!app.heard.contains("restored juice"))
        app.quit()
    }

    @Test("A purchase made off the main thread reaches the app before later work of the main queue")
    func offTheMainThreadTheAppHearsBeforeAnythingThatComesLater() async throws {
        let session = session
        try await Task.detached { try session.buyProduct(productIdentifier: "apple") }.value
        await mainQueueUpdates()

        #expect(app.heard == ["purchased apple", "removed apple"])
        app.quit()
    }

    private func products(_ identifiers: Set<String>) async -> [SKProduct] {
        let request = SKProductsRequest(productIdentifiers: identifiers)
        let receiver = Receiver()
        request.delegate = receiver
        request.start()
        await mainQueueUpdates()
        return receiver.products
    }

    private final class Receiver: NSObject, SKProductsRequestDelegate {
        var products: [SKProduct] = []

        func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
            products = response.products
        }
    }
}

extension SKTestError.Code: Error {}
