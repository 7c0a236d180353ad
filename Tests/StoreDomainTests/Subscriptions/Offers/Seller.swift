// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport

/// The server of a seller, which signs promotional offers.
struct Seller: Sendable {
    let store: TestStore
    let key: P256.Signing.PrivateKey
    let identifier: String

    /// Makes a key and registers it with the store.
    init(_ store: TestStore, _ identifier: String = "SELLER2026") async throws {
        self.store = store
        self.identifier = identifier
        key = P256.Signing.PrivateKey()
        try await ManagingKeys(store.context).register(
            InAppPurchaseKey(
                identifier: identifier, name: "test", publicKey: key.publicKey.x963Representation,
                created: store.context.clock.now()))
    }

    /// The values that the server signs for a customer of `plain`.
    func values(_ product: String = "plain", offer: String = "spring", username: String = "") -> OfferSignature {
        OfferSignature(
            bundleIdentifier: TestStore.bundleIdentifier, keyIdentifier: identifier, productIdentifier: product,
            offerIdentifier: offer, username: username, nonce: UUID().uuidString.lowercased(),
            timestamp: store.context.clock.now().milliseconds)
    }

    /// The discount of a payment for these values, signed as they are or as
    /// `signed` changes them.
    func discount(
        _ values: OfferSignature, signed change: (inout OfferSignature) -> Void = { _ in }
    ) throws -> DiscountInfo {
        var signed = values
        change(&signed)
        return DiscountInfo(
            identifier: values.offerIdentifier, keyIdentifier: values.keyIdentifier, nonce: values.nonce,
            signature: try key.signature(for: signed.bytes).derRepresentation.base64EncodedString(),
            timestamp: values.timestamp)
    }

    func discount(_ product: String = "plain", offer: String = "spring") throws -> DiscountInfo {
        try discount(values(product, offer: offer))
    }
}

extension Subscriber {
    /// Asks for `plain` with a discount.
    func ask(_ discount: DiscountInfo) async throws -> PaymentCall.Answer { try await ask("plain", discount) }

    /// Asks for a payment with a discount.
    func ask(
        _ product: String, _ discount: DiscountInfo, username: String? = nil,
        request: String = UUID().uuidString
    ) async throws -> PaymentCall.Answer {
        try await phone.call(
            PaymentCall(
                requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier, productIdentifier: product,
                quantity: 1, applicationUsername: username, discount: discount))
    }

    /// Buys a product with a discount.
    @discardableResult
    func buy(_ product: String, _ discount: DiscountInfo) async throws -> TransactionInfo? {
        let request = UUID().uuidString
        let token = try phone.token(try await ask(product, discount, request: request).sheet)
        _ = try await store.service.buy(onSheet: token, as: account, shown: nil)
        return try await ask(product, discount, request: request).transaction
    }
}
