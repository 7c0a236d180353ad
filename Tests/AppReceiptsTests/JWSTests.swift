// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AppReceipts

struct JWSTests {
    private let authority = Fixtures.authority
    private let verifier = Fixtures.authority.jwsVerifier

    static var transaction: TransactionPayload {
        var payload = TransactionPayload()
        payload.transactionId = "2000000007"
        payload.originalTransactionId = "2000000001"
        payload.bundleId = "com.example.fruit"
        payload.productId = "com.example.fruit.apple"
        payload.purchaseDate = Fixtures.date("2026-01-02T03:04:05Z")
        payload.signedDate = Fixtures.date("2026-03-01T12:00:00Z")
        payload.quantity = 1
        payload.type = "Non-Consumable"
        payload.inAppOwnershipType = "PURCHASED"
        payload.environment = .sandbox
        payload.price = .max
        payload.isUpgraded = false
        return payload
    }

    @Test("A signed transaction comes back from verification and from parsing")
    func aSignedTransactionComesBack() throws {
        let signed = try authority.sign(Self.transaction)

        let verdict = try verifier.verify(
            signed, as: TransactionPayload.self,
            expecting: .init(bundleIdentifier: "com.example.fruit", environment: .sandbox))

        #expect(verdict.verifiedPayload == Self.transaction)
        #expect(try UnverifiedJWS<TransactionPayload>(parsing: signed).payload == Self.transaction)
        #expect(
            try UnverifiedJWS<TransactionPayload>(parsing: signed).certificates.last == authority.jwsRootCertificate)
    }

    @Test("Renewal, app transaction and notification payloads come back from verification")
    func otherKindsOfPayloadComeBack() throws {
        var renewal = RenewalInfoPayload()
        renewal.autoRenewStatus = 1
        renewal.eligibleWinBackOfferIds = ["a", "b"]
        renewal.signedDate = Fixtures.date("2026-03-01T12:00:00Z")
        var app = AppTransactionPayload()
        app.receiptType = .sandbox
        app.bundleId = "com.example.fruit"
        app.receiptCreationDate = Fixtures.date("2026-03-01T12:00:00Z")
        var notification = NotificationPayload()
        notification.notificationType = "TEST"
        notification.signedDate = Fixtures.date("2026-03-01T12:00:00Z")
        notification.data = .object(["bundleId": .string("com.example.fruit"), "environment": .string("Sandbox")])
        let expectation = JWSVerifier.Expectation(bundleIdentifier: "com.example.fruit")
        let inSandbox = JWSVerifier.Expectation(bundleIdentifier: "com.example.fruit", environment: .sandbox)

        #expect(try verifier.verify(authority.sign(renewal), expecting: expectation).verifiedPayload == renewal)
        #expect(try verifier.verify(authority.sign(app), expecting: inSandbox).verifiedPayload == app)
        #expect(try verifier.verify(authority.sign(notification), expecting: inSandbox).verifiedPayload == notification)
    }

    @Test("Members that TransactionPayload has no property for survive signing")
    func fieldsWithoutANameSurvive() throws {
        var payload = Self.transaction
        payload.members["somethingNew"] = .object(["a": .array([.number("1e400"), .null, .bool(true)])])
        payload.members["größe"] = .string("\u{1F34E} \"\\\n\u{1}")

        let verdict = try verifier.verify(authority.sign(payload), as: TransactionPayload.self, expecting: .any)

        #expect(verdict.verifiedPayload == payload)
    }

    @Test("A field of another type is malformed and isn't signed") func aFieldOfAnotherTypeIsMalformed() throws {
        var payload = Self.transaction
        payload.members["quantity"] = .string("1")

        #expect(throws: AppReceiptError(.malformed, "")) { try authority.sign(payload) }
        #expect(throws: AppReceiptError(.malformed, "")) { try TransactionPayload(json: payload.json) }
    }

    @Test("A payload without a date isn't signed") func aPayloadWithoutADateIsNotSigned() {
        var payload = Self.transaction
        payload.signedDate = nil

        #expect(throws: AppReceiptError(.invalidValue, "")) { try authority.sign(payload) }
    }

    @Test("A payload over the limit is neither signed nor read")
    func aPayloadOverTheLimitIsNeitherSignedNorRead() throws {
        var payload = Self.transaction
        payload.members["long"] = .string(String(repeating: "a", count: 1 << 19))

        #expect(throws: AppReceiptError(.tooLarge, "")) { try authority.sign(payload) }
        #expect(throws: AppReceiptError(.tooLarge, "")) {
            try UnverifiedJWS<TransactionPayload>(parsing: String(repeating: "a", count: 1 << 20 + 1))
        }
    }

    /// Split into two parts that run in parallel.
    @Test("A changed bit makes a JWS malformed or its signature wrong", arguments: 0..<2)
    func aChangedBitIsAWrongSignatureOrNoJWS(part: Int) async throws {
        var text = Array(try authority.sign(Self.transaction).utf8)
        let verifier = authority.jwsVerifier

        for offset in stride(from: part, to: text.count, by: 2) {
            // There are many changes; other tests can run between them.
            await Task.yield()
            for bit in 0..<8 {
                text[offset] ^= 1 << UInt8(bit)
                defer { text[offset] ^= 1 << UInt8(bit) }
                // The bytes are no longer UTF-8, so there is no text to verify.
                guard let changed = String(validating: text, as: UTF8.self) else { continue }
                do {
                    let codes = try verifier.verify(changed, as: TransactionPayload.self, expecting: .any).refusalCodes
                    #expect(codes.contains(.wrongSignature), "bit \(bit) of byte \(offset): \(codes)")
                } catch {
                    #expect(error == AppReceiptError(.malformed, ""), "bit \(bit) of byte \(offset): \(error)")
                }
            }
        }
    }

    @Test("A JWS that is cut at any length is malformed") func aCutJWSIsNoJWS() throws {
        let text = try authority.sign(Self.transaction)
        for length in 0..<text.utf8.count {
            #expect(throws: AppReceiptError(.malformed, ""), "cut to \(length) bytes") {
                try verifier.verify(String(text.prefix(length)), as: TransactionPayload.self, expecting: .any)
            }
        }
    }

    @Test(
        "A text that isn't a JWS is malformed",
        arguments: ["", ".", "..", "a.b.c", "e30.e30.e30", "!.!.!", "e30=.e30=.", "a.b.c.d"])
    func whatIsNoJWSIsMalformed(text: String) {
        #expect(throws: AppReceiptError(.malformed, "")) { try UnverifiedJWS<TransactionPayload>(parsing: text) }
    }

    @Test("The second signature of the same payload isn't canonical, and the lenient profile accepts it")
    func theOtherSignatureOfTheSameIsNotCanonical() throws {
        let text = try authority.sign(Self.transaction)
        let jws = try UnverifiedJWS<TransactionPayload>(parsing: text)
        let other = text.prefix { $0 != "." } + "." + text.split(separator: ".")[1] + "."
        let signature: String = Base64.url.encode(LowS.flipped(jws.signature))

        let verdict = try verifier.verify(other + signature, as: TransactionPayload.self, expecting: .any)

        #expect(verdict.refusalCodes == [.notCanonical])
        let lenient = JWSVerifier(roots: [authority.jwsRootCertificate], profile: .lenient)
        #expect(lenient.accepts(other + signature))
    }
}

extension LowS {
    /// (r, n - s), whether or not n - s is the smaller value.
    static func flipped(_ signature: [UInt8]) -> [UInt8] {
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        var result = signature
        var borrow = 0
        for index in (0..<32).reversed() {
            let digit = Int(order[index]) - Int(signature[32 + index]) - borrow
            borrow = digit < 0 ? 1 : 0
            result[32 + index] = UInt8(truncatingIfNeeded: digit)
        }
        return result
    }
}
