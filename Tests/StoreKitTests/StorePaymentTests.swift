// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreKit

/// Purchases that a customer begins outside of the app.
@Suite(.timeLimit(.hang))
struct StorePaymentTests {
    private let address = "itms-services://?action=purchaseIntent&bundleId=com.example.fruit&productIdentifier=apple"

    @Test("An address names the app and the product")
    func read() throws {
        let url = try #require(URL(string: address))
        let intent = try #require(StorePurchaseLink(url))
        #expect(intent.bundleIdentifier == "com.example.fruit")
        #expect(intent.productIdentifier == "apple")
    }

    @Test(
        "Other addresses are none of it",
        arguments: [
            "https://example.com/?action=purchaseIntent&bundleId=a&productIdentifier=b",
            "itms-services://?action=download-manifest&bundleId=a&productIdentifier=b",
            "itms-services://?action=purchaseIntent&productIdentifier=b", "itms-services://?action=purchaseIntent",
            "itms-services://?action=purchaseIntent&bundleId=a&productIdentifier=", "apple",
        ])
    func others(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(StorePurchaseLink(url) == nil)
    }

    @Test("Arguments of a process are looked through, but for its own name")
    func arguments() {
        #expect(StorePurchaseLink.all(in: [address, "--verbose", address, "file"]).count == 1)
        #expect(StorePurchaseLink.all(in: []).isEmpty)
    }

    @Test("An address of another app isn't opened")
    func otherApp() async throws {
        let folder = try TemporaryFolder()
        var configuration = StoreKitConfiguration()
        configuration.home = folder.url.appendingPathComponent("home")
        configuration.bundleIdentifier = "com.example.vegetables"
        let host = AgentHost()
        #expect(host.use(configuration))
        let core = PaymentQueueCore(host: host)
        let url = try #require(URL(string: address))
        let intent = try #require(StorePurchaseLink(url))
        #expect(!core.open(intent))
        await host.stop()
    }

    @Test("Every observer is asked, and one that says yes is enough to pay")
    @MainActor
    func offered() async throws {
        let folder = try TemporaryFolder()
        var configuration = StoreKitConfiguration()
        configuration.home = folder.url.appendingPathComponent("home")
        configuration.bundleIdentifier = "com.example.fruit"
        let host = AgentHost()
        #expect(host.use(configuration))
        let core = PaymentQueueCore(host: host)
        // The purchase arrives before an observer is added.
        core.wait(with: try apple())
        let hesitant = Asked(answer: false)
        let eager = Asked(answer: true)
        core.add(hesitant, through: SKPaymentQueue())
        core.add(eager, through: SKPaymentQueue())

        while !core.transactions.contains(where: { $0.payment.productIdentifier == "apple" }) {
            try await letOthersRun()
        }

        #expect(hesitant.products == ["apple"] && eager.products == ["apple"])
        core.remove(hesitant)
        core.remove(eager)
        await host.stop()
    }

    private func apple() throws -> OutsidePurchase {
        let answer = ProductsCall.Answer(
            products: [
                ProductInfo(
                    productIdentifier: "apple", type: .nonConsumable, title: "Apple", description: "Red",
                    milliunits: 990, currency: "USD", priceLocale: "en_US", isFamilyShareable: false)
            ],
            invalidProductIdentifiers: [], storefront: StorefrontInfo(countryCode: "USA", identifier: "143441"))
        let link = try #require(URL(string: address).flatMap(StorePurchaseLink.init))
        return try #require(OutsidePurchase(answer, link))
    }

    private final class Asked: NSObject, SKPaymentTransactionObserver {
        private let answer: Bool
        private(set) var products: [String] = []

        init(answer: Bool) {
            self.answer = answer
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}

        func paymentQueue(
            _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
        ) -> Bool {
            products.append(payment.productIdentifier)
            return answer
        }
    }
}
