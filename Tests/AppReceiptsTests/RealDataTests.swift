// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AppReceipts

/// Receipts and payloads that Apple, Xcode and Apple's library signed.
///
/// They are in a folder beside the repository, `../shared/data`, because they
/// belong to others. Without that folder these tests are reported as skipped.
@Suite(.enabled(if: RealData.isThere, "there is no ../shared/data with real receipts"))
struct RealDataTests {
    private static let apple = AppReceiptVerifier(
        roots: RealData.file("receipts/AppleIncRootCertificate.cer"), profile: .lenient)
    private static let xcode = AppReceiptVerifier(
        roots: RealData.file("receipts/StoreKitTestCertificate.cer"), profile: .lenient)

    @Test(
        "Apple's receipts verify leniently under Apple's root, and not strictly",
        arguments: [
            ("receipts/ideasoncanvas-hannes_mac_mindnode_receipt", 0),
            ("receipts/ideasoncanvas-mindnode_ios_michaelsandbox_receipt1.b64", nil),
            ("receipts/tikhop-receipt-production.base64", nil), ("receipts/tikhop-receipt-sandbox-legacy.base64", 187),
        ] as [(String, Int?)])
    func receiptsByAppleVerifyLeniently(file: String, purchases: Int?) throws {
        let receipt = try RealData.receipt(file)

        let verdict = try Self.apple.verify(receipt, expecting: .any)

        let contents = try #require(verdict.verifiedContents, "\(verdict)")
        if let purchases { #expect(contents.inAppPurchases.count == purchases) }
        #expect(contents.bundleIdentifier.contains("."))
        let strict = AppReceiptVerifier(roots: RealData.file("receipts/AppleIncRootCertificate.cer"))
        #expect(try strict.verify(receipt, expecting: .any).verifiedContents == nil)
        #expect(try Self.xcode.verify(receipt, expecting: .any).refusalCodes == [.untrustedRoot])
    }

    @Test("The signature of Apple's old sandbox receipt is weak in the strict profile")
    func anOldSignatureIsWeakWhereTheProfileIsStrict() throws {
        let strict = AppReceiptVerifier(roots: RealData.file("receipts/AppleIncRootCertificate.cer"))
        let receipt = try RealData.receipt("receipts/tikhop-receipt-sandbox-legacy.base64")

        #expect(try strict.verify(receipt, expecting: .any).refusalCodes.contains(.weakAlgorithm))
    }

    @Test(
        "Xcode's receipts verify leniently under their own certificates only",
        arguments: ["receipts/apple-xcode-app-receipt-with-transaction", "receipts/tikhop-receipt-xcode.base64"])
    func receiptsByXcodeVerifyLeniently(file: String) throws {
        let receipt = try RealData.receipt(file)
        let parsed = try UnverifiedAppReceipt(parsing: receipt)
        let itself = AppReceiptVerifier(roots: parsed.certificates, profile: .lenient)

        #expect(try itself.verify(receipt, expecting: .any).verifiedContents?.environment == .xcode)
        #expect(try Self.apple.verify(receipt, expecting: .any).refusalCodes == [.untrustedRoot])
    }

    @Test("Apple's receipt with a changed byte is refused") func aReceiptOfAppleWithAChangedByteIsRefused() throws {
        var receipt = try RealData.receipt("receipts/tikhop-receipt-production.base64")
        let place = try #require(receipt.range(of: Data("Production".utf8)))
        receipt[place.lowerBound] = UInt8(ascii: "p")

        #expect(try Self.apple.verify(receipt, expecting: .any).refusalCodes == [.wrongSignature])
    }

    @Test("A file that isn't a receipt is malformed") func whatIsNoReceiptIsMalformed() throws {
        let bytes = try #require(RealData.file("receipts/ideasoncanvas-not_a_receipt").first)

        #expect(throws: AppReceiptError(.malformed, "")) { try UnverifiedAppReceipt(parsing: bytes) }
    }

    @Test("Apple's transaction receipt verifies only if its certificate is trusted directly")
    func theOldTransactionReceiptIsSignedByACertificateWhoseIssuerIsntThere() throws {
        let bytes = try RealData.receipt("receipts/ideasoncanvas-deprecatedSinglesTypeExpiredAppleCert_receipt.b64")
        let parsed = try UnverifiedTransactionReceipt(parsing: bytes)
        let verifier = TransactionReceiptVerifier(
            roots: RealData.file("receipts/AppleIncRootCertificate.cer"), intermediates: [], profile: .lenient)
        let itself = TransactionReceiptVerifier(roots: [parsed.certificate], intermediates: [], profile: .lenient)

        #expect(parsed.signatureVersion == 2)
        #expect(parsed.contents.environment == .sandbox)
        #expect(parsed.contents.productIdentifier == "yearly")
        #expect(try verifier.verify(bytes).refusalCodes == [.untrustedRoot])
        #expect(try itself.verify(bytes).verifiedContents == parsed.contents)
        #expect(try Fixtures.authority.transactionReceiptVerifier.verify(bytes).refusalCodes.contains(.weakAlgorithm))
    }

    @Test("Xcode's signed transaction verifies leniently under its own certificate only")
    func aPayloadByXcodeVerifiesLenientlyUnderItsOwnCertificate() throws {
        let text = try RealData.text("jws/apple-xcode-signed-transaction")
        let parsed = try UnverifiedJWS<TransactionPayload>(parsing: text)
        let verifier = JWSVerifier(roots: parsed.certificates, profile: .lenient)

        let verdict = try verifier.verify(
            text, as: TransactionPayload.self, expecting: .init(environment: .xcode))

        #expect(verdict.verifiedPayload?.productId == "pass.premium")
        #expect(verdict.verifiedPayload?.members["purchaseDate"] == .number("1697679936049.7297"))
        #expect(
            try JWSVerifier(roots: RealData.file("jws/apple-testCA.der"), profile: .lenient)
                .verify(text, as: TransactionPayload.self, expecting: .any).refusalCodes == [.untrustedRoot])
    }

    @Test("The payloads of Apple's library verify leniently, and one of another app is refused")
    func payloadsOfApplesLibraryVerifyLeniently() throws {
        let verifier = JWSVerifier(roots: RealData.file("jws/apple-testCA.der"), profile: .lenient)
        let example = JWSVerifier.Expectation(
            bundleIdentifier: "com.example", date: Fixtures.date("2024-01-01T00:00:00Z"))

        let notification = try verifier.verify(
            RealData.text("jws/apple-testNotification"), as: NotificationPayload.self, expecting: example)
        #expect(notification.verifiedPayload?.notificationType == "TEST", "\(notification)")
        let transaction = try verifier.verify(
            RealData.text("jws/apple-transactionInfo"), as: TransactionPayload.self, expecting: example)
        #expect(transaction.verifiedPayload?.environment == .sandbox, "\(transaction)")
        let wrong = try verifier.verify(
            RealData.text("jws/apple-wrongBundleId"), as: NotificationPayload.self, expecting: example)
        #expect(wrong.refusalCodes == [.wrongBundleIdentifier])
    }
}

enum RealData {
    private static let folder: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent("shared/data")
    }()

    static let isThere = FileManager.default.fileExists(atPath: folder.path)

    /// A file as a list of trusted roots; empty if the file doesn't exist.
    static func file(_ name: String) -> [Data] {
        (try? Data(contentsOf: folder.appendingPathComponent(name))).map { [$0] } ?? []
    }

    static func text(_ name: String) throws -> String {
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A receipt from a file that has it as DER or as base64.
    static func receipt(_ name: String) throws -> Data {
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        return data.first == 0x30 ? data : Data(base64Encoded: data, options: .ignoreUnknownCharacters) ?? data
    }
}
