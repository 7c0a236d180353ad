// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreTestSupport
import SwiftASN1
import Testing
import X509

@testable import AppReceipts

/// Messages whose signature covers attributes, which have the digest of the
/// contents, as `openssl cms -sign` writes them.
struct SignedAttributeTests {
    private let authority = Fixtures.authority
    private let strict = Fixtures.authority.verifier
    private let lenient = AppReceiptVerifier(roots: [Fixtures.authority.rootCertificate], profile: .lenient)

    @Test(
        "The lenient profile verifies messages of openssl cms -sign, and the strict one doesn't",
        arguments: ["sha1", "sha256", "sha384", "sha512"])
    func whatOpenSSLSignsVerifiesLeniently(digest: String) throws {
        let folder = try TemporaryFolder()
        let signer = try authority.leaf
        let message = try sign(
            Fixtures.fullReceipt, with: signer.pem, signer.keyPEM, "-certfile",
            folder.write(authority.intermediate.pem + authority.root.pem, "chain.pem"), "-md", digest, in: folder)

        #expect(try lenient.verify(message, expecting: .any).verifiedContents == Fixtures.fullReceipt)
        let refused = try strict.verify(message, expecting: .any).refusalCodes
        #expect(refused.contains(digest == "sha256" ? .notCanonical : .weakAlgorithm))
        let other = AppReceiptVerifier(roots: [Fixtures.otherAuthority.rootCertificate], profile: .lenient)
        #expect(try other.verify(message, expecting: .any).refusalCodes == [.untrustedRoot])
    }

    @Test(
        "A signature by an elliptic curve's key verifies leniently, with attributes and without",
        arguments: [[], ["-noattr"]])
    func aSignatureOfAnEllipticCurve(options: [String]) throws {
        let folder = try TemporaryFolder()
        let (key, certificate) = (folder.path("key.pem"), folder.path("certificate.pem"))
        let made = try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-subj", "/CN=a signer",
            "-keyout", key, "-out", certificate, "-days", "2")
        try #require(made.status == 0, "\(made.output)")
        // OpenSSL's certificate is valid from now on.
        let receipt = Fixtures.receipt(
            creationDate: Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.up)))
        let pem = try String(contentsOfFile: certificate, encoding: .utf8)
        let message = try sign(
            receipt, with: pem, String(contentsOfFile: key, encoding: .utf8), options: options, in: folder)
        let itself = AppReceiptVerifier(trusting: try TrustRoots(pemOrDER: Data(pem.utf8)), profile: .lenient)

        #expect(try itself.verify(message, expecting: .any).verifiedContents == receipt)
        var forged = message
        forged[try #require(message.range(of: Data("com.example".utf8))).lowerBound] ^= 1
        #expect(try itself.verify(forged, expecting: .any).refusalCodes == [.wrongSignature])
    }

    @Test("A changed byte of the contents or of the signer is refused, or changes an unsigned part alone")
    func aChangedByte() throws {
        let contents = Fixtures.receipt()
        let message = [UInt8](try assemble(contents))
        #expect(lenient.accepts(Data(message)))
        let certificates = try authority.chain
        let first = try #require(Data(message).range(of: Data(certificates[0])))
        let last = try #require(Data(message).range(of: Data(certificates[2])))

        for index in message.indices where index < first.lowerBound || index >= last.upperBound {
            var changed = message
            changed[index] ^= 1
            guard let verdict = try? lenient.verify(Data(changed), expecting: .any) else { continue }
            if let verified = verdict.verifiedContents { #expect(verified == contents, "byte \(index)") }
        }
    }

    @Test("Forged attributes are refused", arguments: Forgery.allCases)
    func forgedAttributesAreRefused(forgery: Forgery) throws {
        let message = try assemble(Fixtures.receipt(), forgery)

        #expect(try lenient.verify(message, expecting: .any).refusalCodes == [.wrongSignature])
    }

    @Test("The order of the attributes in the message has no meaning, because DER's is signed")
    func theOrderInTheMessageHasNoMeaning() throws {
        let message = try assemble(Fixtures.receipt())
        let parsed = try UnverifiedAppReceipt(parsing: message).signedData.signerInfo
        let attributes = try #require(parsed.signedAttributes?.attributes)
        func written(_ attributes: [SignedAttributes.Attribute]) -> Data {
            Data(attributes.flatMap { SignedAttributes([$0]).signedBytes.dropFirst(2) })
        }
        let place = try #require(
            [attributes, attributes.reversed()].compactMap { message.range(of: written($0)) }.first)
        let isFirst = message[place] == written(attributes)
        var changed = message
        changed.replaceSubrange(place, with: written(isFirst ? attributes.reversed() : attributes))

        #expect(changed != message)
        #expect(lenient.accepts(changed))
    }

    @Test("A message with more than a hundred attributes is too large") func thereIsALimitOfAttributes() throws {
        let attribute = SignedAttributes.Attribute(type: .contentType, values: [[0x05, 0x00]])
        var reader = DERReader(written(SignedAttributes(Array(repeating: attribute, count: 101)))[...])
        #expect(throws: AppReceiptError(.tooLarge, "")) { try SignedAttributes.readingNext(&reader) }
        let many = SignedAttributes.Attribute(
            type: .contentType, values: Array(repeating: [0x05, 0x00], count: 101))
        var other = DERReader(written(SignedAttributes([many]))[...])
        #expect(throws: AppReceiptError(.tooLarge, "")) { try SignedAttributes.readingNext(&other) }
    }

    enum Forgery: CaseIterable {
        case otherContents, otherDigest, noDigest, twoDigests, twoValues, otherType, noType, twoTypes, none
        case contentsSigned, otherTagSigned, otherDigestAlgorithm
    }

    /// Makes a message whose signature is right for the forged attributes, so
    /// that only the check of each one can refuse it.
    private func assemble(_ receipt: AppReceipt, _ forgery: Forgery? = nil) throws -> Data {
        var content = try receipt.encodedPayload()
        let digest = SignedAttributes.Attribute(type: .messageDigest, values: [hash(content)])
        let type = SignedAttributes.Attribute(type: .contentType, values: [identifier(.data)])
        var attributes = [type, digest]
        switch forgery {
        case .otherDigest: attributes[1].values = [hash(content + [0])]
        case .noDigest: attributes = [type]
        case .twoDigests: attributes.append(.init(type: .messageDigest, values: [hash([])]))
        case .twoValues: attributes[1].values.append(hash([]))
        case .otherType: attributes[0].values = [identifier(.signedData)]
        case .noType: attributes = [digest]
        case .twoTypes: attributes.append(.init(type: .contentType, values: [identifier(.signedData)]))
        case .none?: attributes = []
        default: break
        }
        let signed = SignedAttributes(attributes)
        var bytes = signed.signedBytes
        if forgery == .contentsSigned { bytes = content }
        if forgery == .otherTagSigned { bytes[0] = 0xA0 }
        let signature = try authority.leaf.key.sign(bytes: bytes, signatureAlgorithm: .sha256WithRSAEncryption)
        if forgery == .otherContents { content = try Fixtures.receipt(bundleIdentifier: "a.b").encodedPayload() }
        var info = try SignerInfo(signer: authority.signer, signature: signature.rawRepresentation[...])
        info.signedAttributes = signed
        if forgery == .otherDigestAlgorithm { info.digestAlgorithm = .init(algorithm: .sha512, parameters: [5, 0]) }
        return try Data(
            SignedData(content: content[...], certificates: authority.chain.map { $0[...] }, signerInfo: info).encoded)
    }

    private func hash(_ content: [UInt8]) -> ArraySlice<UInt8> {
        var writer = DERWriter()
        writer.primitive(.octetString, SHA256.hash(data: content).map { $0 })
        return writer.bytes[...]
    }

    private func identifier(_ identifier: ASN1ObjectIdentifier) -> ArraySlice<UInt8> {
        var writer = DERWriter()
        writer.objectIdentifier(identifier)
        return writer.bytes[...]
    }

    private func written(_ attributes: SignedAttributes) -> [UInt8] {
        var writer = DERWriter()
        attributes.write(to: &writer)
        return writer.bytes
    }

    private func sign(
        _ receipt: AppReceipt, with certificate: String, _ key: String, _ more: String..., options: [String] = [],
        in folder: TemporaryFolder
    ) throws -> Data {
        let (contents, message) = (folder.path("contents"), folder.path("message"))
        try Data(receipt.encodedPayload()).write(to: URL(fileURLWithPath: contents))
        let result = try openssl(
            [
                "cms", "-sign", "-binary", "-nodetach", "-outform", "DER", "-in", contents, "-out", message,
                "-signer", folder.write(certificate, "signer.pem"), "-inkey", folder.write(key, "signer.key.pem"),
            ] + more + options)
        try #require(result.status == 0, "\(result.output)")
        return try Data(contentsOf: URL(fileURLWithPath: message))
    }
}

extension TemporaryFolder {
    /// Writes a text into a file of the folder, and returns its path.
    fileprivate func write(_ text: String, _ name: String) throws -> String {
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
        return path(name)
    }
}
