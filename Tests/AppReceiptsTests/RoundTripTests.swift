// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AppReceipts

struct RoundTripTests {
    @Test(
        "A signed app receipt comes back from parsing and from verification",
        arguments: [
            Fixtures.receipt(),
            Fixtures.receipt(purchases: (0..<50).map { Fixtures.purchase($0) }),
            Fixtures.receipt(
                bundleIdentifier: "com.example.obst-größe",
                purchases: [Fixtures.purchase(1, product: "果物.りんご.🍎"), Fixtures.purchase(2, product: "")]),
            Fixtures.fullReceipt,
        ])
    func parsingGivesBackWhatWasSigned(receipt: AppReceipt) throws {
        let signed = try Fixtures.authority.sign(receipt)

        let parsed = try UnverifiedAppReceipt(parsing: signed)
        #expect(parsed.contents == receipt)

        let verdict = try Fixtures.authority.verifier.verify(
            signed, expecting: .init(bundleIdentifier: receipt.bundleIdentifier, deviceIdentifier: Fixtures.device))
        #expect(verdict.verifiedContents == receipt)
    }

    @Test("Purchases are in order of date, then of identifier") func purchasesAreInOrderOfDateThenIdentifier() throws {
        var receipt = Fixtures.receipt()
        receipt.inAppPurchases = (0..<20).reversed().map { Fixtures.purchase($0) }

        let parsed = try UnverifiedAppReceipt(parsing: Fixtures.authority.sign(receipt))

        #expect(parsed.contents.inAppPurchases == (0..<20).map { Fixtures.purchase($0) })
    }

    @Test("The same contents give the same bytes") func theSameContentsGiveTheSameBytes() throws {
        let first = try Fixtures.authority.sign(Fixtures.fullReceipt)
        let second = try Fixtures.authority.sign(Fixtures.fullReceipt)

        #expect(first == second)
    }

    @Test("The certificates of a receipt are leaf, intermediate and root, in this order")
    func certificatesAreLeafIntermediateRoot() throws {
        let authority = Fixtures.authority

        let parsed = try UnverifiedAppReceipt(parsing: authority.sign(Fixtures.receipt()))

        #expect(parsed.certificates.last == authority.rootCertificate)
        let summaries = try parsed.certificates.map { try CertificateSummary(der: $0) }
        #expect(summaries.map(\.subject).map { $0.contains("Signing") } == [true, false, false])
        #expect(summaries[0].issuer == summaries[1].subject)
        #expect(summaries[1].issuer == summaries[2].subject)
        #expect(summaries.allSatisfy { $0.notValidBefore == Fixtures.date("2000-01-01T00:00:00Z") })
        #expect(summaries.allSatisfy { $0.notValidAfter == Fixtures.date("2099-12-31T23:59:59Z") })
    }

    @Test("An unknown attribute of a known type isn't signed") func anUnknownAttributeOfAKnownTypeIsNotWritten() {
        let receipt = Fixtures.receipt(unknown: [UnknownAttribute(type: 2, value: Data([0x0C, 0x00]))])

        #expect(throws: AppReceiptError(.invalidValue, "")) { try Fixtures.authority.sign(receipt) }
    }

    @Test("A receipt that is too large for a verifier isn't signed") func aReceiptThatNoVerifierReadsIsNotSigned() {
        var receipt = Fixtures.receipt()
        receipt.opaqueValue = Data(count: UnverifiedAppReceipt.defaultMaximumLength)

        #expect(throws: AppReceiptError(.tooLarge, "")) { try Fixtures.authority.sign(receipt) }
    }
}
