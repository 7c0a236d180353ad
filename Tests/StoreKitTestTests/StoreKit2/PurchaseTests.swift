// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// Purchases by `Product.purchase(options:)`.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct PurchaseTests {
    private let configuration: Configuration
    private let session: SKTestSession

    init() throws {
        configuration = try Configuration()
        session = try configuration.session()
    }

    private func product(_ identifier: String) async throws -> Product {
        try #require(try await Product.products(for: [identifier]).first)
    }

    @Test("A product has the store's texts and price")
    func products() async throws {
        session.locale = Locale(identifier: "de_DE")
        session.storefront = "DEU"
        let products = try await Product.products(for: ["apple", "small", "nothing"])
        #expect(products.map(\.id) == ["apple", "small"])
        let apple = try #require(products.first)
        #expect(apple.displayName == "Apfel" && apple.description == "Ein roter Apfel")
        #expect(apple.price == Decimal(string: "0.99") && apple.displayPrice == "0,99\u{a0}€")
        #expect(apple.type == .nonConsumable && apple.subscription == nil)
        #expect(Decimal(2).formatted(apple.priceFormatStyle) == "2,00\u{a0}€")
        let small = try #require(products.last)
        #expect(small.type == .autoRenewable)
        #expect(small.subscription?.subscriptionPeriod == .monthly)
        #expect(small.subscription?.subscriptionGroupID == "BASKETS" && small.subscription?.groupLevel == 2)
        let json = try #require(
            try JSONSerialization.jsonObject(with: apple.jsonRepresentation) as? [String: Any])
        let attributes = try #require(json["attributes"] as? [String: Any])
        #expect(attributes["kind"] as? String == "Non-Consumable" && attributes["offerName"] as? String == "apple")
    }

    @Test("A purchase returns its verified transaction, which is an entitlement")
    func success() async throws {
        let user = UUID()
        let transaction = try await bought("apple", [.appAccountToken(user)])
        #expect(transaction.productID == "apple" && transaction.appAccountToken == user)
        #expect(transaction.productType == .nonConsumable && transaction.reason == .purchase)
        #expect(transaction.originalID == transaction.id && transaction.environment == .sandbox)
        #expect(transaction.price == Decimal(string: "0.99") && transaction.currency?.identifier == "USD")
        #expect(transaction.storefront.countryCode == "USA")
        #expect(await ids(Transaction.currentEntitlements) == [transaction.id])
        #expect(await ids(Transaction.unfinished) == [transaction.id])
        await transaction.finish()
        #expect(await ids(Transaction.unfinished) == [])
        #expect(await ids(Transaction.currentEntitlements) == [transaction.id])
        #expect(await Transaction.latest(for: "apple")?.unsafePayloadValue.id == transaction.id)
    }

    @Test("The binding of a transaction to the device is the one of the documentation")
    func deviceVerification() async throws {
        let transaction = try await bought("apple")
        let device = try #require(AppStore.deviceVerificationID)
        let text = transaction.deviceVerificationNonce.uuidString.lowercased() + device.uuidString.lowercased()
        #expect(transaction.deviceVerification == Data(SHA384.hash(data: Data(text.utf8))))
    }

    @Test("A finished consumable isn't listed any more, and its quantity is that of the purchase")
    func consumable() async throws {
        let juice = try await bought("juice", [.quantity(3)])
        #expect(juice.purchasedQuantity == 3)
        #expect(await ids(Transaction.all) == [juice.id])
        #expect(await ids(Transaction.currentEntitlements) == [])
        await juice.finish()
        #expect(await ids(Transaction.all) == [])
        #expect(await Transaction.latest(for: "juice")?.unsafePayloadValue.id == juice.id)
    }

    @Test("A quantity out of range is refused before the sheet", arguments: [0, 11])
    func quantity(_ quantity: Int) async throws {
        let juice = try await product("juice")
        await #expect(throws: Product.PurchaseError.invalidQuantity) {
            try await juice.purchase(options: [.quantity(quantity)])
        }
        #expect(session.allTransactions().isEmpty)
    }

    @Test("A cancelled sheet is a result, and leaves nothing in the queue")
    func cancelled() async throws {
        session.disableDialogs = false
        let apple = try await product("apple")
        let purchase = Task { try await apple.purchase() }
        let result = try await answer(purchase) { try session.cancelDialogs() }.get()
        guard case .userCancelled = result else {
            Issue.record("the purchase wasn't cancelled")
            return
        }
        #expect(SKPaymentQueue.default().transactions.isEmpty)
        #expect(await ids(Transaction.all) == [])
    }

    @Test("Ask to Buy is pending, and an update after the approval")
    func askToBuy() async throws {
        session.askToBuyEnabled = true
        guard case .pending = try await product("apple").purchase() else {
            Issue.record("the purchase isn't pending")
            return
        }
        #expect(await ids(Transaction.all) == [])
        let waiting = try #require(session.allTransactions().first)
        try session.approveAskToBuyTransaction(identifier: waiting.identifier)

        let update = try #require(await firstVerified(Transaction.updates))
        #expect(UInt(update.id) == waiting.identifier)
    }

    @Test("The session decides about Ask to Buy, and not the purchase's option", arguments: [false, true])
    func askToBuyOption(isEnabled: Bool) async throws {
        session.askToBuyEnabled = isEnabled
        let result = try await product("apple").purchase(options: [.simulatesAskToBuyInSandbox(!isEnabled)])
        switch result {
        case .pending: #expect(isEnabled)
        case .success: #expect(!isEnabled)
        default: Issue.record("\(result)")
        }
    }

    @Test("Promotional offers that differ only in their signatures are one option")
    func offerSignatures() {
        let nonce = UUID()
        func option(_ signature: String, key: String = "key") -> Product.PurchaseOption {
            .promotionalOffer(
                offerID: "spring", keyID: key, nonce: nonce, signature: Data(signature.utf8), timestamp: 1)
        }
        #expect(option("one") == option("two"))
        #expect(Set([option("one"), option("two")]).count == 1)
        #expect(option("one") != option("one", key: "another key"))
        #expect(
            Product.PurchaseOption.promotionalOffer("spring", compactJWS: "e30.e30.AA")
                != Product.PurchaseOption.promotionalOffer("spring", compactJWS: "e30.e30.AQ"))
    }

    @Test("A failure of the session is thrown, and the queue has no transaction of it")
    func failing() async throws {
        session.failTransactionsEnabled = true
        session.failureError = .missingOfferParams
        let apple = try await product("apple")
        await #expect(throws: Product.PurchaseError.missingOfferParameters) { try await apple.purchase() }
        #expect(SKPaymentQueue.default().transactions.isEmpty)
    }

    @Test("A task that is cancelled leaves its purchase to the updates")
    func cancellation() async throws {
        session.disableDialogs = false
        let apple = try await product("apple")
        let task = Task { try await apple.purchase() }
        await until { SKPaymentQueue.default().transactions.count == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        let update = Task { await firstVerified(Transaction.updates) }
        let received = try await answer(update) { try session.confirmDialogs() }.get()
        #expect(received?.productID == "apple")
    }

    private func ids(_ transactions: Transaction.Transactions) async -> [UInt64] {
        var found: [UInt64] = []
        for await result in transactions {
            guard case .verified(let transaction) = result else {
                Issue.record("\(result) isn't verified")
                continue
            }
            found.append(transaction.id)
        }
        return found
    }

    private func until(_ isTrue: () throws -> Bool) async {
        while (try? isTrue()) != true, !Task.isCancelled { await Task.yield() }
    }
}
