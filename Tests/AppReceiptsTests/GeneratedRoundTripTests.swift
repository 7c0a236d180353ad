// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import AppReceipts

/// Receipts and payloads of random shapes, drawn from seeds. Reading an
/// encoding gives the encoded value, and encoding that value gives the same
/// bytes.
struct GeneratedRoundTripTests {
    @Test("App receipts of random shapes survive encoding and signing", arguments: UInt64(0)..<4)
    func appReceipts(seed: UInt64) throws {
        var shapes = Shapes(seed: seed)
        for number in 0..<60 {
            let receipt = shapes.receipt()
            let payload = try receipt.encodedPayload()

            let parsed = try AppReceipt(payload: payload[...])
            try #require(parsed == receipt, "receipt \(number) of seed \(seed)")
            try #require(try parsed.encodedPayload() == payload, "receipt \(number) of seed \(seed)")
            guard number.isMultiple(of: 6) else { continue }
            // The authority's certificates aren't valid at every date.
            var dated = receipt
            dated.creationDate = Fixtures.date("2026-03-01T12:00:00Z")
            let verdict = try Fixtures.authority.verifier.verify(Fixtures.authority.sign(dated), expecting: .any)
            try #require(verdict.verifiedContents == dated, "receipt \(number) of seed \(seed)")
        }
    }

    @Test("Transaction receipts of random shapes survive signing", arguments: UInt64(10)..<14)
    func transactionReceipts(seed: UInt64) throws {
        var shapes = Shapes(seed: seed)
        for number in 0..<40 {
            let receipt = shapes.transactionReceipt()
            let signed = try Fixtures.authority.sign(receipt)

            try #require(
                try UnverifiedTransactionReceipt(parsing: signed).contents == receipt,
                "receipt \(number) of seed \(seed)")
            let verdict = try Fixtures.authority.transactionReceiptVerifier.verify(signed)
            try #require(verdict.verifiedContents == receipt, "receipt \(number) of seed \(seed)")
        }
    }

    @Test("Transaction payloads of random shapes survive encoding and signing", arguments: UInt64(20)..<24)
    func payloads(seed: UInt64) throws {
        var shapes = Shapes(seed: seed)
        for number in 0..<60 {
            let payload = shapes.payload()

            try #require(try TransactionPayload(json: payload.json) == payload, "payload \(number) of seed \(seed)")
            let verdict = try Fixtures.authority.jwsVerifier.verify(
                Fixtures.authority.sign(payload), as: TransactionPayload.self, expecting: .any)
            try #require(verdict.verifiedPayload == payload, "payload \(number) of seed \(seed)")
        }
    }
}

/// Draws values from a seed, unusual ones included.
private struct Shapes {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func sometimes<Value>(_ value: (inout Shapes) -> Value) -> Value? {
        Bool.random(using: &random) ? value(&self) : nil
    }

    private mutating func integer() -> Int64 {
        [0, -1, 1, 127, 128, -128, -129, 255, 256, .min, .max, Int64.random(in: .min ... .max, using: &random)]
            .randomElement(using: &random) ?? 0
    }

    /// Letters of one to four bytes, controls and quotes.
    private mutating func text() -> String {
        let letters = ["a", "Z", "0", ".", "-", " ", "\"", "\\", "\n", "\u{1}", "ä", "果", "🍎", "e\u{301}", "=", ";"]
        return (0..<number(0...24)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
    }

    private mutating func bytes() -> Data {
        Data((0..<number(0...200)).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// A whole second of the years 0 to 9999.
    private mutating func date() -> Date {
        Date(timeIntervalSince1970: Double(Int64.random(in: -62_167_219_200..<253_402_300_800, using: &random)))
    }

    private mutating func recentDate() -> Date {
        Date(timeIntervalSince1970: Double(number(946_684_800...4_102_444_799)))
    }

    private mutating func unknown(from type: Int) -> [UnknownAttribute] {
        (0..<number(0...3)).map { _ in
            UnknownAttribute(type: type + number(0...5), version: number(0...70_000), value: bytes())
        }
    }

    private mutating func purchase() -> InAppPurchase {
        InAppPurchase(
            quantity: Int(integer()), productIdentifier: text(), transactionIdentifier: text(), purchaseDate: date(),
            originalTransactionIdentifier: text(), originalPurchaseDate: date(),
            productType: sometimes { .init(rawValue: $0.number(-1...9)) },
            subscriptionExpirationDate: sometimes { $0.date() }, cancellationDate: sometimes { $0.date() },
            webOrderLineItemIdentifier: sometimes { $0.integer() },
            isInIntroductoryPricePeriod: sometimes { Bool.random(using: &$0.random) },
            isTrialPeriod: sometimes { Bool.random(using: &$0.random) },
            promotionalOfferIdentifier: sometimes { $0.text() }, unknownAttributes: unknown(from: 1750))
    }

    mutating func receipt() -> AppReceipt {
        AppReceipt(
            environment: .init(rawValue: text()), bundleIdentifier: text(), applicationVersion: text(),
            opaqueValue: bytes(), deviceHash: bytes(), creationDate: date(),
            inAppPurchases: (0..<number(0...8)).map { _ in purchase() }, originalApplicationVersion: text(),
            originalPurchaseDate: sometimes { $0.date() }, expirationDate: sometimes { $0.date() },
            appIdentifier: sometimes { $0.integer() }, downloadIdentifier: sometimes { $0.integer() },
            versionExternalIdentifier: sometimes { $0.integer() }, unknownAttributes: unknown(from: 60))
    }

    mutating func transactionReceipt() -> TransactionReceipt {
        let isProduction = Bool.random(using: &random)
        var entries: [String: String] = [:]
        for _ in 0..<number(0...4) { entries["x-" + text()] = text() }
        return TransactionReceipt(
            environment: isProduction ? .production : .sandbox, bundleIdentifier: text(), bundleVersion: text(),
            productIdentifier: text(), quantity: number(-5...1_000_000), transactionIdentifier: text(),
            purchaseDate: recentDate(), originalTransactionIdentifier: text(), originalPurchaseDate: date(),
            expirationDate: sometimes { $0.date() }, appItemIdentifier: isProduction ? text() : nil,
            unknownEntries: entries)
    }

    mutating func payload() -> TransactionPayload {
        var payload = TransactionPayload()
        payload.signedDate = recentDate()
        payload.transactionId = sometimes { $0.text() }
        payload.productId = sometimes { $0.text() }
        payload.price = sometimes { $0.integer() }
        payload.isUpgraded = sometimes { Bool.random(using: &$0.random) }
        for _ in 0..<number(0...4) { payload.members["x-" + text()] = value(depth: 0) }
        return payload
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch number(0...(depth < 6 ? 6 : 4)) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .number(["0", "-0", "1e400", "-12.50", "1E-7"].randomElement(using: &random) ?? "0")
        case 3: return .number(String(integer()))
        case 4: return .string(text())
        case 5: return .array((0..<number(0...4)).map { _ in value(depth: depth + 1) })
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<number(0...4) { members[text()] = value(depth: depth + 1) }
            return .object(members)
        }
    }
}
