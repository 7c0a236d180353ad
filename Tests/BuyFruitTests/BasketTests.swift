// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

@testable import BuyFruit

/// BuyFruit's subscription: until when it is paid, by the receipt.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct BasketTests {
    private let session: SKTestSession
    private let helper: IAPHelper
    private let notes = Notes()
    private let small = "de.tum.in.www1.sgdws13.BuyFruit.SmallBasket"
    private let large = "de.tum.in.www1.sgdws13.BuyFruit.LargeBasket"

    private final class Notes {
        var titles: [String] = []
    }

    init() throws {
        let configuration = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Examples/BuyFruit/BuyFruit.storekit")
        session = try SKTestSession(contentsOf: configuration)
        session.disableDialogs = true
        let list = ProductList.bundled
        helper = IAPHelper(
            productIdentifiers: Set(list.identifiers), consumableIdentifiers: Set(list.consumables),
            subscriptionIdentifiers: Set(list.subscriptions))
        helper.presentAlert = { [notes] alert in notes.titles.append(alert.title) }
    }

    /// Buys a plan of the list of products.
    private func buy(_ plan: String) async throws {
        var products: [SKProduct] = []
        helper.requestProducts { _, received in products = received }
        await mainQueueUpdates()
        helper.buyProduct(try #require(products.first { $0.productIdentifier == plan }))
        await mainQueueUpdates()
    }

    private func quit() {
        SKPaymentQueue.default().remove(helper)
    }

    /// The subscription of the receipt at the session's time.
    private func subscription() throws -> Subscription {
        try #require(Receipt.contents.flatMap { Subscription($0, at: session.currentDate) })
    }

    @Test("A plan is paid until the end of its period, and isn't a permanent purchase")
    func paid() async throws {
        #expect(Receipt.contents.flatMap { Subscription($0, at: session.currentDate) } == nil)

        try await buy(small)

        let bought = try subscription()
        let transaction = try #require(session.allTransactions().first)
        #expect(bought.product == small && bought.isPaid)
        // Receipts have whole seconds.
        #expect(try abs(bought.paidUntil.timeIntervalSince(#require(transaction.expirationDate))) < 1)
        #expect(!helper.purchases.isPurchased(small))
        #expect(UserDefaults.standard.object(forKey: small) == nil)
        #expect(notes.titles == ["Bought successfully!"])
        quit()
    }

    @Test("A renewal moves the end without an alert, and a subscription that isn't renewed ends")
    func renewed() async throws {
        try await buy(small)
        let first = try subscription()

        try session.advance(by: .seconds(40 * 86_400))
        await mainQueueUpdates()

        let renewed = try subscription()
        #expect(renewed.paidUntil > first.paidUntil && renewed.isPaid)
        #expect(notes.titles == ["Bought successfully!"])

        try session.disableAutoRenewForTransaction(
            identifier: #require(session.allTransactions().last).identifier)
        try session.advance(by: .seconds(40 * 86_400))
        helper.refreshReceipt()
        await mainQueueUpdates()

        // The receipt's own date decides, also when the computer's is earlier.
        let ended = try #require(Receipt.contents.flatMap { Subscription($0, at: .distantPast) })
        #expect(!ended.isPaid && ended.paidUntil == renewed.paidUntil)
        quit()
    }

    @Test("An upgrade counts immediately, and a downgrade at the next renewal")
    func changed() async throws {
        try await buy(small)
        // Receipts have whole seconds: two periods that begin in the same one have no order.
        try session.advance(by: .seconds(86_400))
        try await buy(large)
        #expect(try subscription().product == large)

        try await buy(small)

        #expect(try subscription().product == large)
        #expect(notes.titles == ["Bought successfully!", "Bought successfully!", "Your plan will change"])
        try session.advance(by: .seconds(40 * 86_400))
        await mainQueueUpdates()
        #expect(try subscription().product == small)
        #expect(notes.titles.count == 3)
        quit()
    }

    @Test("Bytes that aren't a receipt have no contents, however long they say they are")
    func malformed() async throws {
        try await buy(small)
        let receipt = try #require(Receipt.path.flatMap { FileManager.default.contents(atPath: $0) })
        #expect(ReceiptContents(receipt)?.periods.map(\.product) == [small])

        for length in stride(from: 0, to: 600, by: 7) {
            #expect(ReceiptContents(receipt.prefix(length)) == nil, "the first \(length) bytes")
        }
        #expect(ReceiptContents(Data([0x30, 0x84, 0xff, 0xff, 0xff, 0xff])) == nil)
        #expect(ReceiptContents(Data([0x30, 0x88, 1, 1, 1, 1, 1, 1, 1, 1])) == nil)
        quit()
    }
}
