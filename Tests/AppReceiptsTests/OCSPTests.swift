// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import AppReceipts

/// OpenSSL verifies our responses, and our responder answers its requests.
struct OCSPTests {
    /// An authority of its own, because these tests revoke certificates.
    private static let authority: SigningAuthority = {
        var random = SeededGenerator(seed: 50)
        do {
            return try SigningAuthority.create(
                profile: .sandbox(publicAddress: "http://store.example:8080"), using: &random)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    struct Case: Sendable, CustomStringConvertible {
        var purpose: LeafSlot.Purpose
        var isIntermediate: Bool
        var hash: String

        var description: String { "\(purpose.rawValue) \(isIntermediate ? "intermediate" : "leaf") \(hash)" }

        static let all = [LeafSlot.Purpose.receipts, .jws].flatMap { purpose in
            [true, false].flatMap { isIntermediate in
                ["-sha1", "-sha256"].map { Case(purpose: purpose, isIntermediate: isIntermediate, hash: $0) }
            }
        }
    }

    @Test("OpenSSL accepts the OCSP answer as good for every leaf and intermediate", arguments: Case.all)
    func opensslAcceptsTheAnswer(about asked: Case) throws {
        let authority = Self.authority
        let chain = authority.chain(asked.purpose)
        let (member, issuer) =
            try asked.isIntermediate
            ? (chain.intermediate, chain.root) : (authority.leaf(asked.purpose), chain.intermediate)
        let files = try Files(authority: authority, chain: chain, member: member, issuer: issuer)

        let answer = try files.ask(authority, now: Date(), asked.hash)

        #expect(answer.status == 0, "\(answer.output)")
        #expect(answer.output.contains("Response verify OK"), "\(answer.output)")
        #expect(answer.output.contains("certificate.pem: good"), "\(answer.output)")
        #expect(!answer.output.contains("WARNING"), "\(answer.output)")
    }

    @Test("The OCSP answer about a revoked leaf gives the reason and the date")
    func whatIsRevokedIsSaidWithItsReason() throws {
        var random = SeededGenerator(seed: 51)
        let authority = try SigningAuthority.create(using: &random)
        let leaf = try authority.leaf(.jws)
        let files = try Files(
            authority: authority, chain: authority.jws, member: leaf, issuer: authority.jws.intermediate)
        try authority.revoke(leaf.serialNumber, now: Fixtures.date("2026-02-03T04:05:06Z"))

        let answer = try files.ask(authority, now: Date(), "-sha256")

        #expect(answer.output.contains("certificate.pem: revoked"), "\(answer.output)")
        #expect(answer.output.contains("keyCompromise"), "\(answer.output)")
        #expect(answer.output.contains("Revocation Time: Feb  3 04:05:06 2026 GMT"), "\(answer.output)")
    }

    @Test("The OCSP answer about a rotated leaf stays good") func rotatedLeavesStayGood() throws {
        var random = SeededGenerator(seed: 52)
        let authority = try SigningAuthority.create(using: &random)
        let old = try authority.leaf(.jws)
        let files = try Files(
            authority: authority, chain: authority.jws, member: old, issuer: authority.jws.intermediate)
        try authority.rotateLeaves(of: .sandbox, now: Date(), publicAddress: nil, using: &random)

        let answer = try files.ask(authority, now: Date(), "-sha1")

        #expect(try authority.leaf(.jws).der != old.der)
        #expect(answer.output.contains("certificate.pem: good"), "\(answer.output)")
    }

    @Test("The OCSP answer about a leaf that was never issued is unknown") func whatWasNeverIssuedIsUnknown() throws {
        let authority = Self.authority
        let odd = try authority.oddLeaf(.jws)
        let files = try Files(
            authority: authority, chain: authority.jws, member: odd, issuer: authority.jws.intermediate)

        let answer = try files.ask(authority, now: Date(), "-sha256")

        #expect(answer.output.contains("certificate.pem: unknown"), "\(answer.output)")
    }

    @Test("The OCSP answer about another authority's leaf is unauthorized")
    func anotherAuthoritysCertificatesAreNotAnsweredFor() throws {
        let other = Fixtures.otherAuthority
        let files = try Files(
            authority: other, chain: other.jws, member: other.jwsLeaf, issuer: other.jws.intermediate)

        let answer = try files.ask(Self.authority, now: Date(), "-sha1")

        #expect(answer.output.contains("unauthorized (6)"), "\(answer.output)")
    }

    @Test("OpenSSL reports an OCSP answer of the day before as expired") func anOldAnswerIsNotFresh() throws {
        let authority = Self.authority
        let files = try Files(
            authority: authority, chain: authority.jws, member: authority.leaf(.jws), issuer: authority.jws.intermediate
        )

        let answer = try files.ask(authority, now: Date().addingTimeInterval(-86_400), "-sha1")

        #expect(answer.output.contains("expired"), "\(answer.output)")
    }

    @Test(
        "Bytes that aren't an OCSP request are answered with malformedRequest",
        arguments: [
            Data(), Data("question".utf8), Data([0x30, 0x00]), Data(repeating: 0x30, count: 20_000),
            Data(repeating: 0x30, count: 1 << 14 + 1),
        ])
    func whatIsNoQuestionIsMalformed(bytes: Data) {
        // SEQUENCE { ENUMERATED malformedRequest }
        #expect(Self.authority.answerOCSP(bytes, now: Date()) == Data([0x30, 0x03, 0x0A, 0x01, 0x01]))
    }

    @Test(
        "OpenSSL verifies the chain with revocation lists, and refuses it after a revocation",
        arguments: ["root", "intermediate", "jws-root", "jws-intermediate"])
    func opensslVerifiesTheChainWithRevocationLists(issuer: String) throws {
        var random = SeededGenerator(seed: 53)
        let authority = try SigningAuthority.create(using: &random)
        let purpose: LeafSlot.Purpose = issuer.hasPrefix("jws") ? .jws : .receipts
        let chain = authority.chain(purpose)
        let leaf = try authority.leaf(purpose)
        let files = try Files(authority: authority, chain: chain, member: leaf, issuer: chain.intermediate)

        let good = try files.verifyWithLists(authority)
        #expect(good.status == 0, "\(good.output)")

        let revoked = issuer.hasSuffix("root") ? chain.intermediate : leaf
        try authority.revoke(revoked.serialNumber, now: Date())
        let verified = try files.verifyWithLists(authority)
        #expect(verified.status != 0)
        #expect(verified.output.contains("certificate revoked"), "\(verified.output)")
        let list = try #require(try authority.revocationList(of: issuer, now: Date()))
        let read = try RevokedCertificates(list: list, signedByOneOf: Array(authority.issuingCertificates.values))
        #expect(read.serialNumbers == [revoked.serialNumber])
        #expect(throws: AppReceiptError(.malformed, "")) {
            try RevokedCertificates(list: list, signedByOneOf: [Fixtures.authority.rootCertificate])
        }
    }

    @Test("A leaf carries the addresses of OCSP, of its issuer and of the revocation list")
    func certificatesSayWhereToAsk() throws {
        let files = try Files(
            authority: Self.authority, chain: Self.authority.jws, member: Self.authority.leaf(.jws),
            issuer: Self.authority.jws.intermediate)

        let text = try openssl("x509", "-in", files.path("certificate.pem"), "-noout", "-text").output

        #expect(text.contains("OCSP - URI:http://store.example:8080/pki/ocsp"))
        #expect(text.contains("CA Issuers - URI:http://store.example:8080/pki/jws-intermediate.cer"))
        #expect(text.contains("URI:http://store.example:8080/pki/jws-intermediate.crl"))
        #expect(text.contains("1.2.840.113635.100.6.11.1"))
    }
}

/// The files that OpenSSL reads and writes.
private struct Files: ~Copyable {
    private let directory: TemporaryFolder
    private let listNames: [String]

    init(
        authority: SigningAuthority, chain: SigningAuthority.Chain, member: SigningAuthority.Member,
        issuer: SigningAuthority.Member
    ) throws {
        let directory = try TemporaryFolder()
        for (name, text) in [
            ("certificate.pem", member.pem), ("issuer.pem", issuer.pem), ("root.pem", chain.root.pem),
            ("intermediate.pem", chain.intermediate.pem),
        ] {
            try text.write(to: directory.url.appendingPathComponent(name), atomically: false, encoding: .utf8)
        }
        self.directory = directory
        listNames = chain.certificateNames.map(\.name)
    }

    func path(_ name: String) -> String { directory.url.appendingPathComponent(name).path }

    func ask(_ authority: SigningAuthority, now: Date, _ hash: String) throws -> (status: Int32, output: String) {
        let made = try openssl(
            "ocsp", hash, "-issuer", path("issuer.pem"), "-cert", path("certificate.pem"), "-reqout", path("request"))
        guard made.status == 0 else { return made }
        let request = try Data(contentsOf: URL(fileURLWithPath: path("request")))
        try authority.answerOCSP(request, now: now).write(to: URL(fileURLWithPath: path("response")))
        // The response has the nonce of the request in the file. Without
        // `-no_nonce` OpenSSL would compare it with a new one.
        return try openssl(
            "ocsp", "-no_nonce", hash, "-issuer", path("issuer.pem"), "-cert", path("certificate.pem"),
            "-reqin", path("request"),
            "-respin", path("response"), "-CAfile", path("root.pem"), "-verify_other", path("intermediate.pem"))
    }

    func verifyWithLists(_ authority: SigningAuthority) throws -> (status: Int32, output: String) {
        var arguments = [
            "verify", "-x509_strict", "-crl_check_all", "-CAfile", path("root.pem"), "-untrusted",
            path("intermediate.pem"),
        ]
        for name in listNames {
            guard let list = try authority.revocationList(of: name, now: Date()) else { continue }
            try list.write(to: URL(fileURLWithPath: path("\(name).crl")))
            _ = try openssl("crl", "-inform", "DER", "-in", path("\(name).crl"), "-out", path("\(name).crl.pem"))
            arguments += ["-CRLfile", path("\(name).crl.pem")]
        }
        return try openssl(arguments + [path("certificate.pem")])
    }
}
