// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The options of purchases that a session makes.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct TestPurchaseOptionTests {
    private let shop: OfferShop
    private var session: SKTestSession { shop.session }

    init() throws {
        shop = try OfferShop()
    }

    @Test("A promotional offer needs no signature in a session, and a subscriber as ever")
    func promotional() async throws {
        await #expect(throws: SKError.self) {
            try await session.buyProduct(identifier: "small", options: [.promotionalOffer(id: "spring")])
        }
        try await shop.lapse()
        let user = UUID()
        let transaction = try await session.buyProduct(
            identifier: "small", options: [.promotionalOffer(id: "spring"), .appAccountToken(user)])
        #expect(transaction.offer?.id == "spring" && transaction.offer?.type == .promotional)
        #expect(transaction.appAccountToken == user)
    }

    @Test("The offer of a code is bought by its reference name")
    func code() async throws {
        let transaction = try await session.buyProduct(
            identifier: "small", options: [.codeOffer(referenceName: "Welcome")])
        #expect(transaction.offer?.type == .code && transaction.price == 0)
        let error = await #expect(throws: SKTestError.self) {
            try await session.buyProduct(identifier: "small", options: [.codeOffer(referenceName: "Nothing")])
        }
        #expect(error?.code == .noTransactionFound)
    }

    @Test("A subscription with an earlier date renews until the session's time")
    func earlier() async throws {
        let now = session.currentDate
        let date = now.addingTimeInterval(-60 * 86_400)
        let transaction = try await session.buyProduct(identifier: "small", options: [.purchaseDate(date)])
        #expect(abs(transaction.purchaseDate.timeIntervalSince(date)) < 1)
        #expect(session.currentDate == now)
        // A week for nothing, and two months, of any length.
        #expect(await products(Transaction.all(for: "small")).count == 3)
        #expect(await products(Transaction.currentEntitlements) == ["small"])
        #expect(try await renewalInfo().willAutoRenew)
    }

    @Test("A subscription with an earlier date that is cancelled has one period")
    func cancelled() async throws {
        let date = session.currentDate.addingTimeInterval(-70 * 86_400)
        let transaction = try await session.buyProduct(
            identifier: "small", options: [.purchaseDate(date, renewalBehavior: .cancelImmediately)])
        #expect(await products(Transaction.all(for: "small")) == ["small"])
        #expect(await products(Transaction.currentEntitlements) == [])
        #expect(transaction.expirationDate.map { $0 < session.currentDate } == true)
        #expect(try await !renewalInfo().willAutoRenew)
    }

    @Test("A purchase in the session's future is refused, and its time stays")
    func future() async throws {
        let now = session.currentDate
        for date in [now.addingTimeInterval(60), Date(timeIntervalSince1970: 0)] {
            await #expect(throws: SKTestError.self) {
                try await session.buyProduct(identifier: "small", options: [.purchaseDate(date)])
            }
        }
        #expect(session.currentDate == now && session.allTransactions().isEmpty)
    }

    @Test("An app can't buy with the options of a session")
    func app() async throws {
        let product = try await shop.product()
        let options: [Product.PurchaseOption] = [
            .purchaseDate(.distantPast), .promotionalOffer(id: "spring"), .codeOffer(referenceName: "Welcome"),
        ]
        for option in options {
            let error = await #expect(throws: StoreKitError.self) { try await product.purchase(options: [option]) }
            guard case .unsupported = error else {
                Issue.record("\(option) isn't unsupported")
                return
            }
        }
        #expect(session.allTransactions().isEmpty)
    }
}
