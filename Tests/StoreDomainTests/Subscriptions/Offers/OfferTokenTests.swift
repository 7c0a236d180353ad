// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Promotional offers that the seller's server signs as a JWS.
@Suite(.timeLimit(.hang))
struct OfferTokenTests {
    private static let start = "2026-01-10 20:00:00"

    @Test("A former subscriber comes back with an offer in a JWS", arguments: Engine.stores)
    func accepted(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            let first = try await anna.buy("plain")
            try await anna.setRenewal(false)
            try await anna.advance(to: "2026-03-01 00:00:00")

            let token = try seller.token(seller.claims(transaction: first.transactionIdentifier))
            try await anna.buy("plain", DiscountInfo("spring", token))
            #expect(try await anna.ledger() == [5990, 1990])
            #expect(try await anna.offers() == ["plain", "plain 1/2"])
            let replayed = try await anna.ask("plain", DiscountInfo("spring", token)).failure
            #expect(replayed?.code == .invalidSignature)
            #expect(replayed?.message.contains("used already") == true)
        }
    }

    @Test("Each changed claim is refused with its own reason", arguments: Engine.stores)
    func changedClaims(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            let ben = try await store.subscriber(1, at: Self.start)
            try await anna.buy("plain")
            let other = try await ben.buy("plain").transactionIdentifier
            func refusal(
                _ claim: String, _ value: (any Sendable)?, header: [String: String] = [:]
            ) async throws -> String {
                var claims = seller.claims()
                claims[claim] = value
                let discount = DiscountInfo("spring", try seller.token(claims, header: header))
                let failure = try await anna.ask("plain", discount).failure
                #expect(failure?.code == .invalidSignature)
                return failure?.message ?? ""
            }
            #expect(try await refusal("productId", "large").contains("for the product \"large\""))
            #expect(try await refusal("offerIdentifier", "free").contains("for the offer \"free\""))
            #expect(try await refusal("bid", "com.example.none").contains("for the app com.example.none"))
            #expect(try await refusal("aud", "appstoreconnect-v1").contains("audience \"appstoreconnect-v1\""))
            #expect(try await refusal("nonce", "again").contains("a nonce that isn't a UUID"))
            #expect(try await refusal("nonce", nil).contains("no claim \"nonce\""))
            #expect(try await refusal("transactionId", other).contains("the customer of the transaction \(other)"))
            let now = Double(store.context.clock.now().milliseconds) / 1000
            #expect(try await refusal("iat", now - 25 * 3600).contains("older than 24 hours"))
            #expect(try await refusal("iat", now + 2 * 3600).contains("in the future"))
            #expect(try await refusal("iat", 1e300).contains("older than 24 hours"))
            #expect(try await refusal("x", 1, header: ["kid": "NONE"]).contains("\"NONE\""))
            #expect(try await refusal("x", 1, header: ["alg": "HS256"]).contains("use ES256"))

            let token = try seller.token(seller.claims())
            let changed = String(token.dropLast(3)) + (token.hasSuffix("AAA") ? "BBB" : "AAA")
            let failure = try await anna.ask("plain", DiscountInfo("spring", changed)).failure
            #expect(failure?.message.contains("was changed") == true)
            #expect(try await anna.ask("plain", DiscountInfo("spring", "no")).failure?.message.contains("JWS") == true)
            #expect(try await anna.ask("plain", DiscountInfo("none", token)).failure?.code == .invalidOfferIdentifier)
            #expect(try await anna.ask("plain", DiscountInfo("spring", token)).status == .authorise)
        }
    }

    @Test("An offer for another customer is refused when the sheet is confirmed", arguments: Engine.stores)
    func anotherCustomer(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellOffers()
            let seller = try await Seller(store)
            let anna = try await store.subscriber(at: Self.start)
            let ben = try await store.subscriber(1, at: Self.start)
            try await anna.buy("plain")
            let mine = try await ben.buy("plain").transactionIdentifier
            let discount = DiscountInfo("spring", try seller.token(seller.claims(transaction: mine)))
            let sheet = try ben.phone.token(try await ben.ask("plain", discount, request: "r").sheet)
            let refused = try await store.service.buy(onSheet: sheet, as: anna.account, shown: nil)
            #expect(refused.failure?.code == .invalidSignature)
            #expect(try await anna.ledger() == [5990, 5990])
        }
    }
}

extension DiscountInfo {
    /// An offer that is signed as a JWS.
    fileprivate init(_ offer: String, _ token: String) {
        self.init(identifier: offer, keyIdentifier: "", nonce: "", signature: "", timestamp: 0, token: token)
    }
}

extension Seller {
    /// The claims of an offer for `plain`.
    fileprivate func claims(transaction: String? = nil) -> [String: any Sendable] {
        var claims: [String: any Sendable] = [
            "iss": "99b16628-15e4-4668-972b-eeff55eeff55", "aud": "promotional-offer",
            "bid": TestStore.bundleIdentifier, "iat": Double(store.context.clock.now().milliseconds / 1000),
            "nonce": UUID().uuidString.lowercased(), "productId": "plain", "offerIdentifier": "spring",
        ]
        claims["transactionId"] = transaction
        return claims
    }

    /// Signs claims as ES256 does (RFC 7518, section 3.4).
    fileprivate func token(_ claims: [String: any Sendable], header changes: [String: String] = [:]) throws -> String {
        let header = ["alg": "ES256", "typ": "JWT", "kid": identifier].merging(changes) { $1 }
        let signed = try [
            JSONSerialization.data(withJSONObject: header), JSONSerialization.data(withJSONObject: claims),
        ].map(\.base64URLText).joined(separator: ".")
        return "\(signed).\(try key.signature(for: Data(signed.utf8)).rawRepresentation.base64URLText)"
    }
}
