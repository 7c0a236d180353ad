// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import X509

@testable import AppReceipts

struct TransactionReceiptTests {
    private let authority = Fixtures.authority
    private let verifier = Fixtures.authority.transactionReceiptVerifier

    static let receipt = TransactionReceipt(
        bundleIdentifier: "com.example.fruit", bundleVersion: "1.2", productIdentifier: "com.example.fruit.\"äpfel\\\"",
        quantity: 3, transactionIdentifier: "2000000007", purchaseDate: Fixtures.date("2026-07-02T07:15:54.123Z"),
        originalTransactionIdentifier: "2000000001", originalPurchaseDate: Fixtures.date("2012-12-02T07:15:54Z"),
        expirationDate: Fixtures.date("2026-08-02T07:15:54Z"), unknownEntries: ["unique-identifier": "dd0e33"])

    static var productionReceipt: TransactionReceipt {
        var receipt = receipt
        receipt.environment = .production
        receipt.appItemIdentifier = "1028950797"
        return receipt
    }

    @Test(
        "A signed transaction receipt comes back from parsing and from verification",
        arguments: [
            receipt, productionReceipt,
            TransactionReceipt(
                bundleIdentifier: "", bundleVersion: "", productIdentifier: "", transactionIdentifier: "",
                purchaseDate: Fixtures.date("2000-01-01T00:00:00Z")),
        ])
    func parsingGivesBackWhatWasSigned(receipt: TransactionReceipt) throws {
        let signed = try authority.sign(receipt)

        let parsed = try UnverifiedTransactionReceipt(parsing: signed)
        #expect(parsed.contents == receipt)
        #expect(parsed.signatureVersion == 3)
        #expect(try verifier.verify(signed, expecting: receipt.bundleIdentifier).verifiedContents == receipt)
    }

    @Test("A transaction receipt has the entries and the layout that sellers' servers know")
    func isWrittenAsSellersServersKnowIt() throws {
        let text = String(decoding: try authority.sign(Self.receipt), as: UTF8.self)
        let info = try UnverifiedTransactionReceipt(parsing: Data(text.utf8)).purchaseInfo

        #expect(text.hasPrefix("{\n\t\"signature\" = \"A"))
        #expect(
            text.hasSuffix("\t\"environment\" = \"Sandbox\";\n\t\"pod\" = \"100\";\n\t\"signing-status\" = \"0\";\n}"))
        for entry in [
            "purchase-date\" = \"2026-07-02 07:15:54 Etc/GMT", "purchase-date-ms\" = \"1782976554123",
            "purchase-date-pst\" = \"2026-07-02 00:15:54 America/Los_Angeles",
            "original-purchase-date-pst\" = \"2012-12-01 23:15:54 America/Los_Angeles",
            "expires-date\" = \"1785654954000", "expires-date-formatted\" = \"2026-08-02 07:15:54 Etc/GMT",
            "quantity\" = \"3", "unique-identifier\" = \"dd0e33",
        ] {
            #expect(String(decoding: info, as: UTF8.self).contains("\t\"\(entry)\";\n"), "\(entry)")
        }
    }

    @Test("The environment has to match the signed entries") func theEnvironmentIsTiedToWhatIsSigned() throws {
        var receipt = Self.receipt
        receipt.environment = .production
        #expect(throws: AppReceiptError(.invalidValue, "")) { try authority.sign(receipt) }

        let signed = String(decoding: try authority.sign(Self.receipt), as: UTF8.self)
        let disguised = signed.replacingOccurrences(of: "\t\"environment\" = \"Sandbox\";\n", with: "")
        #expect(try codes(Data(disguised.utf8)) == [.notCanonical])
    }

    /// Changes one bit of every byte, of those that no signature covers as
    /// well. Split into two parts that run in parallel.
    @Test("A transaction receipt with a changed bit in a byte is refused or unreadable", arguments: 0..<2)
    func aChangedByteIsRefusedForItsReasonOrNoReceipt(part: Int) async throws {
        var bytes = try authority.sign(Self.receipt)
        for offset in stride(from: part, to: bytes.count, by: 2) {
            await Task.yield()
            bytes[offset] ^= 1 << UInt8(offset / 2 % 8)
            defer { bytes[offset] ^= 1 << UInt8(offset / 2 % 8) }
            guard let verdict = try? verifier.verify(bytes) else { continue }
            // The change may be in the issuer's name, so that the issuer is unknown.
            #expect(
                !verdict.refusalCodes.isDisjoint(with: [.wrongSignature, .brokenChain, .notCanonical, .untrustedRoot]),
                "byte \(offset): \(verdict.refusalCodes)")
        }
    }

    @Test("A changed bit of the purchase info or of the signature makes the signature wrong")
    func aChangedBitOfWhatIsSignedOrOfTheSignatureIsAWrongSignature() async throws {
        let parsed = try UnverifiedTransactionReceipt(parsing: authority.sign(Self.receipt))
        let signature = parsed.signature
        for bit in 0..<parsed.purchaseInfo.count * 8 {
            await Task.yield()
            var info = parsed.purchaseInfo
            info[bit / 8] ^= 1 << UInt8(bit % 8)
            let message = Data(parsed.contents.message(purchaseInfo: info, signature: signature))
            // The changed bytes may no longer be purchase info.
            guard let verdict = try? verifier.verify(message) else { continue }
            #expect(verdict.refusalCodes.contains(.wrongSignature), "bit \(bit) of the purchase info")
        }
        for bit in 0..<(1 + signature.signature.count) * 8 {
            var bytes = signature.encoded
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let changed = try? TransactionSignature(parsing: bytes) else {
                #expect(bit < 8, "bit \(bit) of the signature")
                continue
            }
            let verdict = try verifier.verify(
                Data(parsed.contents.message(purchaseInfo: parsed.purchaseInfo, signature: changed)))
            #expect(verdict.refusalCodes.contains(.wrongSignature), "bit \(bit) of the signature")
        }
    }

    @Test("A changed quantity makes the signature wrong") func aChangeOfWhatIsSignedIsAWrongSignature() throws {
        let parsed = try UnverifiedTransactionReceipt(parsing: authority.sign(Self.receipt))
        var contents = parsed.contents
        contents.quantity = 4
        let changed = try contents.message(
            purchaseInfo: contents.purchaseInfo().encoded, signature: parsed.signature)

        #expect(try codes(Data(changed)) == [.wrongSignature])
    }

    @Test("A transaction receipt that is cut at any length is an error") func aCutReceiptIsNeverAccepted() throws {
        let signed = try authority.sign(Self.receipt)
        for length in 0..<signed.count {
            #expect(throws: AppReceiptError.self, "cut to \(length) bytes") {
                try verifier.verify(signed.prefix(length))
            }
        }
    }

    @Test("A leaf that isn't valid at the purchase, or has no marker, is refused")
    func aLeafThatWasNotValidAtThePurchaseOrHasNoMarkerIsRefused() throws {
        let year = SigningAuthority.Profile(
            notValidBefore: Fixtures.date("2026-01-01T00:00:00Z"), notValidAfter: Fixtures.date("2026-12-31T23:59:59Z"))
        let yearly = try authority.oddLeaf(.receipts, profile: year)
        var late = Self.receipt
        late.purchaseDate = Fixtures.date("2027-01-01T00:00:00Z")

        // The certificate has to be valid at the purchase date, not today.
        #expect(try codes(assemble(Self.receipt, signedBy: yearly)) == [])
        #expect(try codes(assemble(late, signedBy: yearly)) == [.certificateNotValidAtSigning])
        let unmarked = try authority.oddLeaf(.receipts) { $0.marker = nil }
        #expect(try codes(assemble(Self.receipt, signedBy: unmarked)) == [.brokenChain])
    }

    @Test("A transaction receipt is refused for app, authority, missing issuer and revocation")
    func isRefusedForEachReason() throws {
        let signed = try authority.sign(Self.receipt)
        let leaf = try authority.leaf.serialNumber
        let roots = [authority.rootCertificate]
        let intermediates = [Data(authority.intermediate.der)]

        #expect(
            try verifier.verify(signed, expecting: "com.example.vegetables").refusalCodes == [.wrongBundleIdentifier])
        let other = Fixtures.otherAuthority.transactionReceiptVerifier
        #expect(try other.verify(signed).refusalCodes == [.brokenChain])
        #expect(
            try TransactionReceiptVerifier(roots: roots, intermediates: []).verify(signed).refusalCodes == [
                .untrustedRoot
            ])
        let knowing = TransactionReceiptVerifier(
            roots: roots, intermediates: intermediates, revoked: RevokedCertificates([leaf]))
        #expect(try knowing.verify(signed).refusalCodes == [.revoked])
        let lenient = TransactionReceiptVerifier(roots: roots, intermediates: intermediates, profile: .lenient)
        #expect(try lenient.verify(signed).refusalCodes == [])
    }

    @Test(
        "A text that isn't a transaction receipt is an error",
        arguments: [
            "", "{", "{}", "not a receipt", "{ \"signature\" = \"AAAA\"; }", "{ \"a\" = { \"b\" = \"c\"; }; }",
            "{ \"a\" = \"b\"; \"a\" = \"c\"; }", String(repeating: "{", count: 60_000),
            String(repeating: "(", count: 60_000),
            "{ \"signature\" = \"Aw==\"; \"purchase-info\" = \"e30=\"; }",
        ])
    func whatIsNoReceiptIsAnError(text: String) {
        #expect(throws: AppReceiptError.self) { try UnverifiedTransactionReceipt(parsing: Data(text.utf8)) }
    }

    @Test("A transaction receipt over the limit is refused as too large") func aReceiptOverTheLimitIsNotRead() {
        let bytes = Data(repeating: 0x20, count: UnverifiedTransactionReceipt.maximumLength + 1)

        #expect(throws: AppReceiptError(.tooLarge, "")) { try UnverifiedTransactionReceipt(parsing: bytes) }
    }

    private func assemble(_ receipt: TransactionReceipt, signedBy leaf: SigningAuthority.Member) throws -> Data {
        let info = try receipt.purchaseInfo().encoded
        let signature = try leaf.key.sign(
            bytes: TransactionSignature.signedBytes(version: 3, purchaseInfo: info),
            signatureAlgorithm: .sha1WithRSAEncryption)
        return Data(
            receipt.message(
                purchaseInfo: info,
                signature: TransactionSignature(
                    version: 3, signature: signature.rawRepresentation[...], certificate: leaf.der[...])))
    }

    private func codes(_ bytes: Data) throws -> Set<AppReceiptVerifier.Refusal.Code> {
        try verifier.verify(bytes).refusalCodes
    }
}

extension TransactionReceiptVerifier.Verdict {
    var refusalCodes: Set<AppReceiptVerifier.Refusal.Code> {
        switch self {
        case .verified: []
        case .refused(let refusals): Set(refusals.map(\.code))
        }
    }

    var verifiedContents: TransactionReceipt? {
        switch self {
        case .verified(let receipt): receipt.contents
        case .refused: nil
        }
    }
}
