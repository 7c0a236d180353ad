// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The seller's decision whether a customer gets the introductory offer, as a
/// JWS (StoreKit 2).
@Suite(.timeLimit(.hang))
struct IntroductoryEligibilityTests {
    private static let start = "2026-01-10 20:00:00"

    @Test("The decision gives the offer a second time, or withholds it from a new customer", arguments: Engine.stores)
    func decided(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            let first = try await anna.buy("small").transactionIdentifier
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-03-01 00:00:00")
            try await anna.decide(seller.decision(true, transaction: first))
            #expect(try await anna.offers() == ["small 1/1", "small 1/1"])

            let ben = try await store.subscriber(1, at: Self.start)
            try await ben.decide(seller.decision(false))
            #expect(try await ben.offers() == ["small"])
            try await store.checkMoney()
        }
    }

    @Test(
        "A decision names a customer by the app transaction, also before the first purchase", arguments: Engine.stores)
    func appTransaction(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            let ben = try await store.subscriber(1, at: Self.start)
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            let numbers = [anna, ben].map {
                AppTransaction.identifier(of: $0.account.identifier, in: app, .sandbox).rawValue
            }
            let refused = try await anna.ask(seller.decision(false, transaction: numbers[1])).failure
            #expect(refused?.message.contains("the customer of the transaction \(numbers[1])") == true)
            try await anna.decide(seller.decision(false, transaction: numbers[0]))
            #expect(try await anna.offers() == ["small"])
        }
    }

    @Test(
        "A decision for another customer, app or purpose is refused, and a nonce serves once",
        arguments: Engine.stores)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            let ben = try await store.subscriber(1, at: Self.start)
            let other = try await ben.buy("plain").transactionIdentifier
            func refusal(_ changes: [String: (any Sendable)?]) async throws -> String {
                let failure = try await anna.ask(seller.decision(true, changes)).failure
                #expect(failure?.code == .invalidSignature)
                return failure?.message ?? ""
            }
            #expect(try await refusal(["aud": "promotional-offer"]).contains("audience"))
            #expect(try await refusal(["productId": "plain"]).contains("for the product \"plain\""))
            #expect(try await refusal(["bid": "com.example.none"]).contains("for the app com.example.none"))
            #expect(try await refusal(["allowIntroductoryOffer": nil]).contains("allowIntroductoryOffer"))
            #expect(try await refusal(["transactionId": other]).contains("the customer of the transaction \(other)"))
            let token = try seller.decision(true)
            #expect(try await anna.ask(token).status == .authorise)
            #expect(try await anna.ask(token).failure?.message.contains("used already") == true)
            // A discount or a win-back offer beside it is no payment.
            await #expect(throws: StoreFailure.self) {
                try await anna.ask(try seller.decision(true), winBackOffer: "back")
            }
        }
    }
}

extension Seller {
    fileprivate func decision(
        _ isAllowed: Bool, transaction: String? = nil, _ changes: [String: (any Sendable)?] = [:]
    ) throws -> String {
        var claims: [String: any Sendable] = [
            "iss": "99b16628-15e4-4668-972b-eeff55eeff55", "aud": "introductory-offer-eligibility",
            "bid": TestStore.bundleIdentifier, "iat": Double(store.context.clock.now().milliseconds / 1000),
            "nonce": UUID().uuidString.lowercased(), "productId": "small", "allowIntroductoryOffer": isAllowed,
        ]
        claims["transactionId"] = transaction
        for (name, value) in changes { claims[name] = value }
        let header = ["alg": "ES256", "typ": "JWT", "kid": identifier]
        let signed = try [
            JSONSerialization.data(withJSONObject: header), JSONSerialization.data(withJSONObject: claims),
        ].map { data in
            data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }.joined(separator: ".")
        let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation.base64EncodedString()
        return signed + "."
            + signature.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension Subscriber {
    fileprivate func ask(
        _ token: String, winBackOffer: String? = nil, request: String = UUID().uuidString
    ) async throws -> PaymentCall.Answer {
        try await phone.call(
            PaymentCall(
                requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier, productIdentifier: "small",
                quantity: 1, winBackOffer: winBackOffer, introductoryOfferEligibility: token))
    }

    /// Buys `small` with a decision.
    fileprivate func decide(_ token: String) async throws {
        let sheet = try phone.token(try await ask(token).sheet)
        let bought = try await store.service.buy(onSheet: sheet, as: account, shown: nil)
        #expect(bought.failure == nil)
    }
}
