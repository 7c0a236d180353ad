// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreServer
import StoreService
import StoreTestSupport
import Testing

/// `/pki/…`, as verifiers of certificates use it.
struct AuthorityRouteTests {
    /// An OCSP request for a certificate that doesn't exist: SHA-1, two
    /// hashes of zeros, the serial number 1.
    private static let question: [UInt8] =
        [0x30, 0x42, 0x30, 0x40, 0x30, 0x3E, 0x30, 0x3C, 0x30, 0x3A]
        + [0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00]
        + [0x04, 0x14] + [UInt8](repeating: 0, count: 20)
        + [0x04, 0x14] + [UInt8](repeating: 0, count: 20)
        + [0x02, 0x01, 0x01]
    /// SEQUENCE { ENUMERATED unauthorized }
    private static let unauthorized: [UInt8] = [0x30, 0x03, 0x0A, 0x01, 0x06]
    private static let malformed: [UInt8] = [0x30, 0x03, 0x0A, 0x01, 0x01]

    @Test(
        "The certificates and revocation lists are served, and keys and other files aren't", arguments: Engine.servers)
    func certificatesAndListsAreThere(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let authority = store.service.authority
            for (name, certificate) in authority.issuingCertificates {
                let response = try await client.get("/pki/\(name).cer")
                #expect(response.status == .ok)
                #expect(Data(response.body.readableBytesView) == certificate)
                let list = try await client.get("/pki/\(name).crl")
                #expect(list.headers[.contentType] == "application/pkix-crl")
                let read = try RevokedCertificates(
                    list: Data(list.body.readableBytesView), signedByOneOf: [certificate])
                #expect(read == .none)
            }
            #expect(try await client.get("/pki/roots.pem").text == authority.rootsPEM)
            let bundle = try authority.bundlePEM
            #expect(try await client.get("/pki/bundle.pem").text == bundle)
            #expect(try await client.get("/pki/root.pem").text == authority.rootCertificatePEM)
            for name in ["leaf.cer", "other.crl", "root.key.pem", "..%2Fstore.sqlite"] {
                #expect(try await client.get("/pki/\(name)").status == .notFound, "\(name)")
            }
        }
    }

    @Test("OCSP requests are answered by POST and by GET", arguments: Engine.servers)
    func questionsAreAnsweredByPostAndByGet(engine: Engine) async throws {
        try await engine.withHTTP { _, client in
            let posted = try await client.executeRequest(
                uri: "/pki/ocsp", method: .post, headers: [.contentType: "application/ocsp-request"],
                body: ByteBuffer(bytes: Self.question))
            #expect(posted.status == .ok)
            #expect(posted.headers[.contentType] == "application/ocsp-response")
            #expect(Array(posted.body.readableBytesView) == Self.unauthorized)

            let path = Data(Self.question).base64EncodedString()
            let escaped = path.replacingOccurrences(of: "/", with: "%2F").replacingOccurrences(of: "+", with: "%2B")
            for path in [path, escaped] {
                let got = try await client.get("/pki/ocsp/\(path)")
                #expect(Array(got.body.readableBytesView) == Self.unauthorized, "\(path)")
            }
        }
    }

    @Test("A body that isn't an OCSP request is answered with malformedRequest", arguments: Engine.servers)
    func whatIsNoQuestionIsAnsweredSo(engine: Engine) async throws {
        try await engine.withHTTP { _, client in
            for body in ["", "question", String(repeating: "0", count: 1 << 16)] {
                let response = try await client.post("/pki/ocsp", body)
                #expect(response.status == .ok)
                #expect(Array(response.body.readableBytesView) == Self.malformed)
            }
            #expect(Array(try await client.get("/pki/ocsp/!!").body.readableBytesView) == Self.malformed)
        }
    }

    @Test("Lists and OCSP answers have another node's revocations, or aren't given", arguments: Engine.stores)
    func anotherNodesRevocations(engine: Engine) async throws {
        try await engine.withTwoDatabases { one, other in
            try await Schema.migrate(one)
            let authority = try Self.authority(in: one, seed: 81)
            let revoking = try Self.authority(in: other, seed: 82)
            let clock = TestClock()
            let pause = Duration.seconds(SigningAuthority.staleAge + 1)
            try await Self.with(authority, one, clock) { client in
                #expect(try await Self.list(client, authority) == .none)
                try revoking.revoke(revoking.leafSerialNumbers(of: .sandbox).receipts, now: clock.now.date)
                clock.advance(by: pause)
                #expect(try await Self.list(client, authority) != .none)

                try one.close()
                clock.advance(by: pause)
                let question = Data(Self.question).base64EncodedString()
                for path in ["intermediate.crl", "bundle.pem", "ocsp/\(question)"] {
                    #expect(try await client.get("/pki/\(path)").status == .serviceUnavailable, "\(path)")
                }
                #expect(try await client.post("/pki/ocsp", "").status == .serviceUnavailable)
                #expect(try await client.get("/pki/intermediate.cer").status == .ok)
            }
        }
    }

    /// The authority in a database, which the first call makes.
    private static func authority(in database: any Database, seed: UInt64) throws -> SigningAuthority {
        var random = SeededGenerator(seed: seed)
        let rows = AuthorityRows(database, protection: .plain, random: RandomSource(SeededGenerator(seed: seed)))
        return try SigningAuthority.loadOrCreate(in: rows, profile: .sandbox, using: &random)
    }

    private static func list(
        _ client: any TestClientProtocol, _ authority: SigningAuthority
    ) async throws -> RevokedCertificates {
        let list = try await client.get("/pki/intermediate.crl")
        #expect(list.status == .ok)
        return try RevokedCertificates(
            list: Data(list.body.readableBytesView),
            signedByOneOf: [try #require(authority.issuingCertificates["intermediate"])])
    }

    /// Runs a test with the routes of a store with an authority.
    private static func with(
        _ authority: SigningAuthority, _ database: any Database, _ clock: TestClock,
        _ body: @Sendable @escaping (any TestClientProtocol) async throws -> Void
    ) async throws {
        let configuration = StoreConfiguration(
            database: database, clock: clock.wallClock, random: RandomSource(SeededGenerator(seed: 83)))
        let store = try await Store.open(
            configuration,
            serving: ServingConfiguration(
                authority: authority, publicURL: "https://store.example", logger: .silent))
        let application = Application(router: try buildRouter(store.service), logger: .silent)
        try await application.test(.router) { try await body($0) }
    }
}
