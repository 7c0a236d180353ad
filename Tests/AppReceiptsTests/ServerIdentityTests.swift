// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import SwiftASN1
import Testing
import X509

@testable import AppReceipts

/// The authority of a server with a few names, as OpenSSL sees it.
struct ServerIdentityTests {
    private static let names = ["buy.example.com", "api.example.org"]

    @Test("OpenSSL accepts the certificate for its names and for no other") func names() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 4)
        let identity = try ServerIdentity(names: Self.names, now: Date(), using: &random)
        try identity.rootCertificatePEM.write(toFile: folder.path("root.pem"), atomically: false, encoding: .utf8)
        try identity.certificatePEM.write(toFile: folder.path("server.pem"), atomically: false, encoding: .utf8)

        for (name, isAccepted) in [(Self.names[0], true), (Self.names[1], true), ("example.com", false)] {
            let result = try openssl(
                "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", name, "-CAfile",
                folder.path("root.pem"), folder.path("server.pem"))
            #expect((result.status == 0) == isAccepted, "\(name): \(result.output)")
        }
    }

    @Test("OpenSSL refuses a certificate of the root for another name or an address")
    func otherNames() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 5)
        let root = try NamedRoot(names: Self.names, now: Date(), using: &random)
        try root.certificate.serializeAsPEM().pemString.write(
            toFile: folder.path("root.pem"), atomically: false, encoding: .utf8)
        let address = ASN1OctetString(contentBytes: [127, 0, 0, 1])
        let others: [[GeneralName]] = [
            [.dnsName("apple.com")], [.dnsName("example.com")], [.dnsName("buy.example.com.evil.example")],
            [.dnsName(Self.names[0]), .dnsName("www.example.com")], [.ipAddress(address)],
        ]
        for names in [[.dnsName(Self.names[0])]] + others {
            let issued = try root.issue(for: names, using: &random).certificate
            try issued.serializeAsPEM().pemString.write(
                toFile: folder.path("server.pem"), atomically: false, encoding: .utf8)
            let result = try openssl("verify", "-CAfile", folder.path("root.pem"), folder.path("server.pem"))
            let isAccepted = names == [.dnsName(Self.names[0])]
            #expect((result.status == 0) == isAccepted, "\(names): \(result.output)")
            if !isAccepted { #expect(result.output.contains("subtree violation"), "\(result.output)") }
        }
    }

    @Test("The root issues no authority, and two roots differ") func roots() throws {
        var random = SeededGenerator(seed: 6)
        let roots = try (0..<2).map { _ in try NamedRoot(names: Self.names, now: Date(), using: &random).certificate }
        #expect(roots[0].subject != roots[1].subject && roots[0].publicKey != roots[1].publicKey)
        #expect(try roots[0].extensions.basicConstraints == .isCertificateAuthority(maxPathLength: 0))
        #expect(roots[0].extensions[oid: .X509ExtensionID.nameConstraints]?.critical == true)
    }
}
