// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
import X509

/// The root of servers' certificates with a few names.
///
/// Its name constraints (RFC 5280, section 4.2.1.10) permit the names with their
/// subdomains, and no network address, so that a machine that trusts it for a
/// test trusts it for nothing else.
struct NamedRoot {
    let certificate: Certificate
    private let key: Certificate.PrivateKey
    private let start: Date

    /// The longest validity that TLS clients of today accept, in days.
    private static let days = 397.0

    /// Makes a root for some names, valid from a day before `now`.
    ///
    /// - Throws: An error of the cryptographic library.
    init(names: [String], now: Date, using random: inout some RandomNumberGenerator) throws {
        key = try ChainKind.makeResponderKey(using: &random)
        start = now.addingTimeInterval(-86_400)
        // All addresses of IPv4 and of IPv6: an address and a mask of zeros.
        let everyAddress = [8, 32].map { ASN1OctetString(contentBytes: ArraySlice(repeating: 0, count: $0)) }
        // A number by which the roots of two runs differ.
        let number = (0..<4).map { _ in UInt8.random(in: .min ... .max, using: &random) }.hexadecimalDigits
        let name = try Self.name("Test Names Root CA \(number)")
        let extensions = try Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            Critical(KeyUsage(keyCertSign: true))
            try ExtendedKeyUsage([.serverAuth])
            Critical(NameConstraints(permittedDNSDomains: names, excludedIPRanges: everyAddress))
        }
        certificate = try Self.certificate(
            for: key, named: name, issuedBy: name, with: key, start, extensions, &random)
    }

    /// Issues a certificate for a server. Verifiers refuse it for other names
    /// than the root's.
    ///
    /// - Throws: An error of the cryptographic library.
    func issue(
        for names: [GeneralName], using random: inout some RandomNumberGenerator
    ) throws -> (certificate: Certificate, key: Certificate.PrivateKey) {
        let serverKey = try ChainKind.makeResponderKey(using: &random)
        let extensions = try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            try ExtendedKeyUsage([.serverAuth])
            SubjectAlternativeNames(names)
        }
        let server = try Self.certificate(
            for: serverKey, named: Self.name("Test Names Server"), issuedBy: certificate.subject, with: key, start,
            extensions, &random)
        return (server, serverKey)
    }

    private static func certificate(
        for key: Certificate.PrivateKey, named subject: DistinguishedName, issuedBy issuer: DistinguishedName,
        with issuerKey: Certificate.PrivateKey, _ start: Date, _ extensions: Certificate.Extensions,
        _ random: inout some RandomNumberGenerator
    ) throws -> Certificate {
        var extensions = extensions
        try extensions.append(.init(SubjectKeyIdentifier(hash: key.publicKey), critical: false))
        try extensions.append(
            .init(
                AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuerKey.publicKey).keyIdentifier),
                critical: false))
        return try Certificate(
            version: .v3, serialNumber: CertificateTemplate.serialNumber(using: &random), publicKey: key.publicKey,
            notValidBefore: start, notValidAfter: start.addingTimeInterval(days * 86_400), issuer: issuer,
            subject: subject, signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
            issuerPrivateKey: issuerKey)
    }

    private static func name(_ commonName: String) throws -> DistinguishedName {
        try DistinguishedName {
            OrganizationName("OpenStoreKit")
            CommonName(commonName)
        }
    }
}
