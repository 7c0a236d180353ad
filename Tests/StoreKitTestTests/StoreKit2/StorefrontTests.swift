// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Synchronization
import Testing

/// The customer's storefront, and purchases during which it changes.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct StorefrontTests {
    private let session: SKTestSession

    init() throws {
        session = try Configuration().session()
    }

    @Test("A listener receives each storefront after the making of the iterator, and none twice")
    func updates() async throws {
        _ = try await bought("apple")
        #expect(await Storefront.current?.countryCode == "USA")
        var updates = Storefront.updates.makeAsyncIterator()
        session.storefront = "DEU"
        let german = await updates.next()
        #expect(german?.countryCode == "DEU" && german?.currency?.identifier == "EUR")
        #expect(await Storefront.current?.countryCode == "DEU")

        session.storefront = "DEU"
        session.storefront = "JPN"
        let japanese = await updates.next()
        #expect(japanese?.countryCode == "JPN" && japanese?.id != german?.id)
    }

    @Test("A purchase whose option refuses the new storefront isn't available in it, and nothing is charged")
    func refused() async throws {
        let asked = Asked()
        let refusal = Product.PurchaseOption.onStorefrontChange { storefront in
            asked.countries.withLock { $0.append(storefront.countryCode) }
            return false
        }
        let result = try await movedTo("DEU", [refusal])
        #expect(asked.countries.withLock { $0 } == ["DEU"])
        guard case .failure(let error) = result, case StoreKitError.notAvailableInStorefront = error else {
            Issue.record("the purchase is \(result)")
            return
        }
        #expect(session.allTransactions().isEmpty && SKPaymentQueue.default().transactions.isEmpty)
    }

    @Test("A purchase goes on in a new storefront if its option accepts it, or if it has none")
    func accepted() async throws {
        for options: Set<Product.PurchaseOption> in [[.onStorefrontChange { $0.countryCode == "DEU" }], []] {
            session.storefront = "USA"
            let result = try await movedTo("DEU", options)
            guard case .success(.success(let bought)) = result else {
                Issue.record("the purchase is \(result)")
                return
            }
            let transaction = try bought.payloadValue
            #expect(transaction.storefront.countryCode == "DEU" && transaction.currency?.identifier == "EUR")
            await transaction.finish()
        }
    }

    /// The end of a purchase while whose sheet is shown the customer moves to
    /// another country.
    private func movedTo(
        _ country: String, _ options: Set<Product.PurchaseOption>
    ) async throws -> Result<Product.PurchaseResult, any Error> {
        session.disableDialogs = false
        let juice = try #require(try await Product.products(for: ["juice"]).first)
        let purchase = Task { try await juice.purchase(options: options) }
        while SKPaymentQueue.default().transactions.isEmpty, !Task.isCancelled { await Task.yield() }
        session.storefront = country
        return try await answer(purchase) { try session.confirmDialogs() }
    }
}

/// The countries about which a purchase's option was asked.
private final class Asked: Sendable {
    let countries = Mutex<[String]>([])
}
