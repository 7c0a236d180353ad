// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
import Testing
import X509

@testable import AppReceipts

struct RefusalTests {
    private let authority = Fixtures.authority
    private let verifier = Fixtures.authority.verifier

    @Test("A receipt under another root is refused") func anotherRootIsRefused() throws {
        let verdict = try Fixtures.otherAuthority.verifier.verify(
            authority.sign(Fixtures.receipt()), expecting: .any)

        #expect(verdict.refusalCodes == [.untrustedRoot])
    }

    @Test("A receipt of another app is refused") func anotherAppIsRefused() throws {
        let verdict = try verifier.verify(
            authority.sign(Fixtures.receipt()), expecting: .init(bundleIdentifier: "com.example.vegetables"))

        #expect(verdict.refusalCodes == [.wrongBundleIdentifier])
    }

    @Test("A receipt of an app whose identifier only looks the same is refused")
    func anAppWhoseNameOnlyLooksTheSameIsRefused() throws {
        let signed = try authority.sign(Fixtures.receipt(bundleIdentifier: "com.example.caf\u{E9}"))

        let verdict = try verifier.verify(signed, expecting: .init(bundleIdentifier: "com.example.cafe\u{301}"))

        #expect(verdict.refusalCodes == [.wrongBundleIdentifier])
    }

    @Test("A receipt of another device is refused") func anotherDeviceIsRefused() throws {
        let verdict = try verifier.verify(
            authority.sign(Fixtures.receipt()), expecting: .init(deviceIdentifier: Data(count: 16)))

        #expect(verdict.refusalCodes == [.wrongDevice])
    }

    @Test("A refusal gives all its reasons") func allReasonsAreGiven() throws {
        let verdict = try Fixtures.otherAuthority.verifier.verify(
            authority.sign(Fixtures.receipt()),
            expecting: .init(bundleIdentifier: "com.example.vegetables", deviceIdentifier: Data(count: 16)))

        #expect(verdict.refusalCodes == [.untrustedRoot, .wrongBundleIdentifier, .wrongDevice])
    }

    @Test(
        "A receipt that is dated outside of its certificates' validity is refused and isn't signed",
        arguments: ["2019-12-31T23:59:59Z", "2021-01-01T00:00:00Z"])
    func aReceiptFromOutsideOfTheCertificatesValidityIsRefused(creationDate: String) throws {
        // Our authority refuses to sign it, so the message is put together here.
        let authority = Fixtures.shortLivedAuthority
        let receipt = Fixtures.receipt(creationDate: Fixtures.date(creationDate))
        #expect(throws: AppReceiptError(.notValidAtCreationDate, "")) { try authority.sign(receipt) }
        let content = try receipt.encodedPayload()
        let message = try assemble(content, signedBy: authority, certificates: authority.chain)

        let verdict = try authority.verifier.verify(message, expecting: .any)

        #expect(verdict.refusalCodes == [.certificateNotValidAtSigning])
    }

    @Test(
        "A receipt is verified at its creation date, not today",
        arguments: ["2020-01-01T00:00:00Z", "2020-12-31T23:59:59Z"])
    func aReceiptIsVerifiedAtItsCreationDateNotToday(creationDate: String) throws {
        let authority = Fixtures.shortLivedAuthority
        let signed = try authority.sign(Fixtures.receipt(creationDate: Fixtures.date(creationDate)))

        #expect(authority.verifier.accepts(signed))
    }

    @Test(
        "A receipt with its certificates in another order or number is refused",
        arguments: [[1, 0, 2], [0, 2, 1], [2, 1, 0], [0, 1], [0, 1, 2, 2], [0, 1, 1], [0, 2], []])
    func anotherOrderOrNumberOfCertificatesIsRefused(order: [Int]) throws {
        let content = try Fixtures.receipt().encodedPayload()
        let message = try assemble(content, signedBy: authority, certificates: order.map { try authority.chain[$0] })

        #expect(try verifier.verify(message, expecting: .any).refusalCodes.contains(.brokenChain))
    }

    @Test("A receipt by another authority's leaf is refused under our intermediate")
    func aLeafOfAnotherAuthorityIsRefused() throws {
        let other = Fixtures.otherAuthority
        let content = try Fixtures.receipt().encodedPayload()
        let message = try assemble(
            content, signedBy: other, certificates: [other.leaf.der, authority.intermediate.der, authority.root.der])

        #expect(try verifier.verify(message, expecting: .any).refusalCodes == [.brokenChain])
    }

    @Test("A receipt that an intermediate signed is refused") func anIntermediateThatSignsReceiptsIsRefused() throws {
        let content = try Fixtures.receipt().encodedPayload()
        let chain = [authority.intermediate.der, authority.root.der, authority.root.der]
        let signature = try authority.intermediate.key.sign(
            bytes: content, signatureAlgorithm: .sha256WithRSAEncryption)
        let message = try Data(
            SignedData(
                content: content[...], certificates: chain.map { $0[...] },
                signerInfo: SignerInfo(
                    signer: IssuerAndSerialNumber(of: authority.intermediate.certificate),
                    signature: ArraySlice(signature.rawRepresentation))
            ).encoded)

        #expect(try verifier.verify(message, expecting: .any).refusalCodes == [.brokenChain])
    }

    @Test("A receipt with other contents than the signed ones is refused")
    func contentsThatWereNotSignedAreRefused() throws {
        let signed = try UnverifiedAppReceipt(parsing: authority.sign(Fixtures.receipt()))
        var message = signed.signedData
        message.content = try EncapsulatedContentInfo(
            content: Fixtures.receipt(purchases: [Fixtures.purchase(1)]).encodedPayload()[...])

        let verdict = try verifier.verify(Data(message.encoded), expecting: .any)

        #expect(verdict.refusalCodes == [.wrongSignature])
    }

    @Test("Signed contents with their attributes in another order are refused")
    func signedContentsInAnotherFormAreRefused() throws {
        // Attributes in another order: valid BER, the same receipt, signed.
        let attributes = try BER.parse(Fixtures.receipt().encodedPayload()).children(.set)
        var coder = DER.Serializer()
        coder.appendConstructedNode(identifier: .set) { coder in
            for attribute in attributes.reversed() { coder.serialize(attribute) }
        }
        let message = try assemble(coder.serializedBytes, signedBy: authority, certificates: authority.chain)

        #expect(try UnverifiedAppReceipt(parsing: message).contents == Fixtures.receipt())
        #expect(try verifier.verify(message, expecting: .any).refusalCodes == [.notCanonical])
    }

    @Test("A receipt with another signer version is refused") func anotherSignerVersionIsRefused() throws {
        var message = try UnverifiedAppReceipt(parsing: authority.sign(Fixtures.receipt())).signedData
        message.signerInfo.version = 3

        #expect(try verifier.verify(Data(message.encoded), expecting: .any).refusalCodes == [.notCanonical])
    }

    @Test("A certificate in another form with the same signature is refused")
    func aCertificateInAnotherFormIsRefused() throws {
        // RFC 4055 lets a reader accept RSA's parameters to be absent. The
        // part that is signed, and with it the signature, stays the same.
        let leaf = try authority.leaf.certificate
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.serializeRawBytes(leaf.tbsCertificateBytes)
            try coder.serialize(
                AlgorithmIdentifier(algorithm: .sha256WithRSA, parameters: nil))
            try coder.serialize(ASN1BitString(bytes: leaf.signature.rawRepresentation[...]))
        }
        let content = try Fixtures.receipt().encodedPayload()
        let message = try assemble(
            content, signedBy: authority,
            certificates: [coder.serializedBytes, authority.intermediate.der, authority.root.der])

        #expect(try verifier.verify(message, expecting: .any).refusalCodes == [.brokenChain])
    }

    private func assemble(
        _ content: [UInt8], signedBy authority: SigningAuthority, certificates: [[UInt8]]
    ) throws -> Data {
        let signature = try authority.leaf.key.sign(bytes: content, signatureAlgorithm: .sha256WithRSAEncryption)
        return try Data(
            SignedData(
                content: content[...], certificates: certificates.map { $0[...] },
                signerInfo: SignerInfo(
                    signer: authority.signer, signature: ArraySlice(signature.rawRepresentation))
            ).encoded)
    }
}
