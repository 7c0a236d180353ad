// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
import Testing
import X509

@testable import AppReceipts

/// Receipts in the forms that other implementations write, signed with our
/// keys.
struct LenientProfileTests {
    private let authority = Fixtures.authority
    private let strict = Fixtures.authority.verifier
    private let lenient = AppReceiptVerifier(roots: [Fixtures.authority.rootCertificate], profile: .lenient)

    @Test("The lenient profile accepts our receipts and refuses forged and untrusted ones")
    func ourOwnReceiptsPassTooAndForgedOnesDoNot() throws {
        let signed = try authority.sign(Fixtures.fullReceipt)
        var forged = signed
        forged[try #require(signed.range(of: Data("com.example".utf8))).lowerBound] ^= 1

        #expect(lenient.accepts(signed))
        #expect(try lenient.verify(forged, expecting: .any).refusalCodes == [.wrongSignature])
        let other = AppReceiptVerifier(roots: [Fixtures.otherAuthority.rootCertificate], profile: .lenient)
        #expect(try other.verify(signed, expecting: .any).refusalCodes == [.untrustedRoot])
    }

    @Test("Both profiles refuse another app, another device and a revoked leaf")
    func expectationsAndRevocationsHoldInBoth() throws {
        let signed = try authority.sign(Fixtures.receipt())
        let leaf = try authority.leaf.serialNumber
        for profile in [VerificationProfile.strict, .lenient] {
            let verifier = AppReceiptVerifier(
                roots: [authority.rootCertificate], profile: profile, revoked: RevokedCertificates([leaf]))
            let verdict = try verifier.verify(
                signed, expecting: .init(bundleIdentifier: "a", deviceIdentifier: Data(count: 16)))
            #expect(verdict.refusalCodes == [.revoked, .wrongBundleIdentifier, .wrongDevice], "\(profile)")
        }
    }

    @Test("A SHA-1 signature passes leniently and is weak in the strict profile")
    func aSHA1SignatureIsWeakWhereTheProfileIsStrict() throws {
        let content = try Fixtures.receipt().encodedPayload()
        let signature = try authority.leaf.key.sign(bytes: content, signatureAlgorithm: .sha1WithRSAEncryption)
        var info = try SignerInfo(signer: authority.signer, signature: signature.rawRepresentation[...])
        info.digestAlgorithm = AlgorithmIdentifier(algorithm: .sha1, parameters: [0x05, 0x00])
        let message = try Data(
            SignedData(content: content[...], certificates: authority.chain.map { $0[...] }, signerInfo: info).encoded
        )

        #expect(lenient.accepts(message))
        #expect(try strict.verify(message, expecting: .any).refusalCodes == [.weakAlgorithm, .notCanonical])
    }

    @Test(
        "Certificates in another order or number pass leniently only", arguments: [[2, 1, 0], [0, 1], [1, 0, 2, 2]])
    func anotherOrderOfCertificatesPasses(order: [Int]) throws {
        let chain = try authority.chain
        let message = try assemble(order.map { chain[$0] })

        #expect(lenient.accepts(message))
        #expect(try strict.verify(message, expecting: .any).refusalCodes.contains(.brokenChain))
    }

    @Test("A chain without its intermediate is untrusted, and one without its leaf is broken")
    func aMissingLinkIsUntrusted() throws {
        let chain = try authority.chain

        #expect(try lenient.verify(assemble([chain[0], chain[2]]), expecting: .any).refusalCodes == [.untrustedRoot])
        #expect(try lenient.verify(assemble([chain[1], chain[2]]), expecting: .any).refusalCodes == [.brokenChain])
    }

    @Test("A signer that is a trusted root needs no chain") func aSignerThatIsTrustedItselfNeedsNoChain() throws {
        let leaf = try authority.leaf
        let itself = AppReceiptVerifier(roots: [Data(leaf.der)], profile: .lenient)

        #expect(itself.accepts(try assemble([leaf.der])))
    }

    @Test("Both profiles refuse a leaf without the marker extension")
    func aLeafWithoutTheMarkerIsRefusedInBoth() throws {
        let odd = try authority.oddLeaf(.receipts) { $0.marker = nil }
        let message = try assemble(Array([odd.der] + authority.chain.dropFirst()), signer: odd)

        #expect(try lenient.verify(message, expecting: .any).refusalCodes == [.brokenChain])
        #expect(try strict.verify(message, expecting: .any).refusalCodes == [.brokenChain])
    }

    @Test("Nested octet strings of indefinite length pass leniently only")
    func nestedOctetStringsOfIndefiniteLengthPass() throws {
        let content = try Fixtures.receipt().encodedPayload()
        let message = try [UInt8](authority.sign(Fixtures.receipt()))
        let start = try #require(Data(message).range(of: Data(content))).lowerBound
        // The content once more, as a constructed octet string in two parts,
        // every level around it with an indefinite length.
        let half = content.count / 2
        let nested = [0x24, 0x80] + Self.octets(content[..<half]) + Self.octets(content[half...]) + [0, 0]
        let parsed = try UnverifiedAppReceipt(parsing: Data(message)).signedData
        var info = DERWriter()
        parsed.signerInfo.write(to: &info)
        var algorithm = DER.Serializer()
        try algorithm.serialize(AlgorithmIdentifier.sha256)
        let certificates = parsed.certificates.flatMap { Array($0) }
        let end: [UInt8] = [0, 0]
        var ber: [UInt8] = [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0, 0x80]
        ber += [0x30, 0x80, 0x02, 0x01, 0x01, 0x31, 0x80] + algorithm.serializedBytes + end
        ber += [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01, 0xA0, 0x80]
        ber += nested + end + end + [0xA0, 0x80] + certificates + end + [0x31, 0x80] + info.bytes + end
        ber += end + end + end

        #expect(start > 0)
        #expect(try UnverifiedAppReceipt(parsing: Data(ber)).contents == Fixtures.receipt())
        #expect(lenient.accepts(Data(ber)))
        #expect(try strict.verify(Data(ber), expecting: .any).refusalCodes == [.notCanonical])
    }

    private static func octets(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var coder = DER.Serializer()
        coder.appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: bytes) }
        return coder.serializedBytes
    }

    private func assemble(_ certificates: [[UInt8]], signer: SigningAuthority.Member? = nil) throws -> Data {
        let signer = try signer ?? authority.leaf
        let content = try Fixtures.receipt().encodedPayload()
        let signature = try signer.key.sign(bytes: content, signatureAlgorithm: .sha256WithRSAEncryption)
        return try Data(
            SignedData(
                content: content[...], certificates: certificates.map { $0[...] },
                signerInfo: SignerInfo(
                    signer: IssuerAndSerialNumber(of: signer.certificate),
                    signature: signature.rawRepresentation[...])
            ).encoded)
    }
}
