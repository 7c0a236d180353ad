// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Testing
import X509

@testable import AppReceipts

struct JWSRefusalTests {
    private let authority = Fixtures.authority
    private let verifier = Fixtures.authority.jwsVerifier

    @Test("A JWS under another root is refused") func anotherRootIsRefused() throws {
        #expect(
            try codes(authority.sign(JWSTests.transaction), Fixtures.otherAuthority.jwsVerifier) == [.untrustedRoot])
    }

    @Test("A JWS of another app and environment is refused for both reasons")
    func anotherAppAndEnvironmentAreRefused() throws {
        let verdict = try verifier.verify(
            authority.sign(JWSTests.transaction), as: TransactionPayload.self,
            expecting: .init(bundleIdentifier: "com.example.vegetables", environment: .production))

        #expect(verdict.refusalCodes == [.wrongBundleIdentifier, .wrongEnvironment])
    }

    @Test(
        "A JWS with its certificates in another order or number is refused",
        arguments: [[1, 0, 2], [0, 2, 1], [2, 1, 0], [0, 1], [0, 1, 2, 2], [0], [0, 1, 1]])
    func anotherOrderOrNumberOfCertificatesIsRefused(order: [Int]) throws {
        let chain = try authority.jwsChain
        let text = try assemble(JWSTests.transaction, key: authority.jwsLeaf.key, order.map { chain[$0] })

        #expect(try codes(text).contains(.brokenChain))
    }

    @Test("A leaf without the marker extension is refused") func aLeafWithoutTheMarkerIsRefused() throws {
        let leaf = try authority.oddLeaf(.jws) { $0.marker = nil }

        #expect(try codes(signing(with: leaf)) == [.brokenChain])
    }

    @Test("A leaf that is a certificate authority is refused") func aLeafThatIsAnAuthorityIsRefused() throws {
        let leaf = try authority.oddLeaf(.jws) { $0.constraints = .isCertificateAuthority(maxPathLength: 0) }

        #expect(try codes(signing(with: leaf)) == [.brokenChain])
    }

    @Test("A leaf has to be valid at the payload's date, not today")
    func aLeafThatHasExpiredSinceIsAcceptedAndOneFromLaterIsNot() throws {
        let year = SigningAuthority.Profile(
            notValidBefore: Fixtures.date("2026-01-01T00:00:00Z"), notValidAfter: Fixtures.date("2026-12-31T23:59:59Z"))
        let leaf = try authority.oddLeaf(.jws, profile: year)
        var late = JWSTests.transaction
        late.signedDate = Fixtures.date("2027-01-01T00:00:00Z")

        #expect(try codes(signing(with: leaf)) == [])
        #expect(try codes(signing(late, with: leaf)) == [.certificateNotValidAtSigning])
    }

    @Test("A revoked leaf or intermediate is refused") func aRevokedLeafOrIntermediateIsRefused() throws {
        let signed = try authority.sign(JWSTests.transaction)
        for member in try [authority.jwsLeaf, authority.jws.intermediate] {
            let verifier = JWSVerifier(
                roots: [authority.jwsRootCertificate], revoked: RevokedCertificates([member.serialNumber]))
            #expect(try codes(signed, verifier) == [.revoked])
        }
    }

    @Test("A payload without a date is refused unless the caller gives one")
    func aPayloadWithoutADateIsRefusedUnlessOneIsGiven() throws {
        var payload = JWSTests.transaction
        payload.signedDate = nil
        let text = try signing(payload, with: authority.jwsLeaf)

        #expect(try codes(text) == [.undated])
        let verdict = try verifier.verify(
            text, as: TransactionPayload.self, expecting: .init(date: Fixtures.date("2026-03-01T12:00:00Z")))
        #expect(verdict.verifiedPayload == payload)
    }

    @Test("A header with typ isn't canonical, and one with another algorithm or no certificates is malformed")
    func anotherHeaderIsMalformedOrNotCanonical() throws {
        let leaf = try authority.jwsLeaf
        let chain: JSONValue = .array(try authority.jwsChain.map { .string(Base64.standard.encode($0)) })
        func text(_ header: [String: JSONValue]) throws -> String {
            try assemble(JWSTests.transaction, key: leaf.key, header: JSONValue.object(header).encodedBytes)
        }

        #expect(
            try codes(text(["alg": .string("ES256"), "x5c": chain, "typ": .string("JWT")])) == [.notCanonical])
        for header: [String: JSONValue] in [
            ["alg": .string("none"), "x5c": chain], ["alg": .string("HS256"), "x5c": chain],
            ["alg": .string("ES256")], ["alg": .string("ES256"), "x5c": .array([])],
            ["alg": .string("ES256"), "x5c": chain, "crit": .array([.string("b64")]), "b64": .bool(false)],
        ] {
            #expect(throws: AppReceiptError(.malformed, "")) {
                try UnverifiedJWS<TransactionPayload>(parsing: text(header))
            }
        }
    }

    private func codes(_ text: String, _ verifier: JWSVerifier? = nil) throws -> Set<JWSVerifier.Refusal.Code> {
        try (verifier ?? self.verifier).verify(text, as: TransactionPayload.self, expecting: .any).refusalCodes
    }

    private func signing(
        _ payload: TransactionPayload = JWSTests.transaction, with leaf: SigningAuthority.Member
    ) throws -> String {
        try assemble(payload, key: leaf.key, [leaf.der] + authority.jwsChain.dropFirst())
    }

    private func assemble(
        _ payload: TransactionPayload, key: Certificate.PrivateKey, _ certificates: [[UInt8]]
    ) throws -> String {
        try assemble(payload, key: key, header: JWSHeader.encode(certificates))
    }

    private func assemble(
        _ payload: TransactionPayload, key: Certificate.PrivateKey, header: [UInt8]
    ) throws -> String {
        let text: String = Base64.url.encode(header) + "." + Base64.url.encode(Array(payload.json.utf8))
        let der = try key.sign(bytes: Array(text.utf8), signatureAlgorithm: .ecdsaWithSHA256).rawRepresentation
        let signature = [UInt8](try P256.Signing.ECDSASignature(derRepresentation: der).rawRepresentation)
        return text + "." + Base64.url.encode(LowS.normalized(signature))
    }
}
