// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The functions that read the transactions of one product or subscription,
/// and the parts of signed values.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct ReadingTests {
    private let session: SKTestSession

    init() throws {
        session = try Configuration().session()
    }

    @Test("The entitlements of a product are its own, until a refund")
    func entitlements() async throws {
        let apple = try await bought("apple")
        _ = try await bought("small")
        _ = try await bought("juice")
        #expect(await products(Transaction.currentEntitlements(for: "apple")) == ["apple"])
        #expect(await Transaction.currentEntitlement(for: "apple") == .verified(apple))
        #expect(await products(Transaction.currentEntitlements(for: "juice")) == [])
        #expect(await Transaction.currentEntitlement(for: "juice") == nil)
        let product = try #require(try await Product.products(for: ["apple"]).first)
        #expect(await products(product.currentEntitlements) == ["apple"])
        #expect(await product.currentEntitlement == .verified(apple))
        #expect(await product.latestTransaction == .verified(apple))

        try session.refundTransaction(identifier: UInt(apple.id))
        #expect(await Transaction.currentEntitlement(for: "apple") == nil)
        #expect(await products(product.currentEntitlements) == [])
        #expect(await product.latestTransaction?.unsafePayloadValue.revocationType == .fullRefund)
        #expect(await products(Transaction.currentEntitlements(for: "small")) == ["small"])
    }

    @Test("After an upgrade, the entitlement is that of the new product only")
    func upgrade() async throws {
        let small = try await bought("small")
        let large = try await bought("large")
        #expect(await products(Transaction.currentEntitlements(for: "small")) == [])
        #expect(await Transaction.currentEntitlement(for: "large")?.unsafePayloadValue.id == large.id)
        #expect(await Transaction.latest(for: "small")?.unsafePayloadValue.isUpgraded == true)
        #expect(large.originalID == small.originalID)
    }

    @Test("The status of a transaction is that of the newest period of its subscription")
    func status() async throws {
        let small = try await bought("small")
        let apple = try await bought("apple")
        try session.advance(by: .seconds(32 * 86_400))
        let status = try #require(try await Product.SubscriptionInfo.status(transactionID: small.id))
        let period = try status.transaction.payloadValue
        #expect(status.state == .subscribed && period.originalID == small.id && period.id != small.id)
        #expect(try await Product.SubscriptionInfo.status(transactionID: period.id) == status)
        #expect(await small.subscriptionStatus == status)
        #expect(try await Product.SubscriptionInfo.status(transactionID: apple.id) == nil)
        #expect(try await Product.SubscriptionInfo.status(transactionID: 7) == nil)
    }

    @Test("The parts of signed values are those of the JWS, and the leaf's key has signed them")
    func signatures() async throws {
        _ = try await bought("small")
        let transaction = try #require(await Transaction.latest(for: "small"))
        try check(
            transaction.jwsRepresentation, transaction.headerData, transaction.payloadData, transaction.signedData,
            transaction.signatureData, transaction.signature)
        #expect(transaction.payloadData == transaction.unsafePayloadValue.jsonRepresentation)
        let renewal = try #require(try await Product.SubscriptionInfo.status(for: "BASKETS").first).renewalInfo
        try check(
            renewal.jwsRepresentation, renewal.headerData, renewal.payloadData, renewal.signedData,
            renewal.signatureData, renewal.signature)
        let app = try await AppTransaction.shared
        try check(
            app.jwsRepresentation, app.headerData, app.payloadData, app.signedData, app.signatureData, app.signature)
        #expect(app.unsafePayloadValue.revocationDate == nil)
    }

    private func check(
        _ jws: String, _ header: Data, _ payload: Data, _ signed: Data, _ bytes: Data,
        _ signature: P256.Signing.ECDSASignature
    ) throws {
        let parts = [header, payload, bytes].map(\.base64URLText)
        #expect(parts.joined(separator: ".") == jws)
        #expect(Data(parts.prefix(2).joined(separator: ".").utf8) == signed)
        #expect(signature.rawRepresentation == bytes)
        let key = try Self.leafKey(in: header)
        #expect(key.isValidSignature(signature, for: signed))
        #expect(!key.isValidSignature(signature, for: signed.dropLast()))
    }

    /// The key of the first certificate in a header: the point behind the
    /// identifiers of a key of the curve P-256.
    private static func leafKey(in header: Data) throws -> P256.Signing.PublicKey {
        struct Header: Decodable { var x5c: [Data] }
        let leaf = try #require(try JSONDecoder().decode(Header.self, from: header).x5c.first)
        let identifiers = Data([
            0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01,
            0x07, 0x03, 0x42, 0x00,
        ])
        let place = try #require(leaf.range(of: identifiers))
        return try P256.Signing.PublicKey(x963Representation: leaf[place.upperBound...].prefix(65))
    }
}
