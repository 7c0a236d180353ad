// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// What root, intermediate and leaf differ in.
///
/// Every certificate has basic constraints, key usage and both key
/// identifiers: OpenSSL's strict mode (`X509_V_FLAG_X509_STRICT`), which
/// clients of the App Store Server API turn on, refuses one without.
struct CertificateTemplate {
    var profile: SigningAuthority.Profile
    var commonName: String
    var constraints: BasicConstraints
    var usage: KeyUsage
    var marker: ASN1ObjectIdentifier?

    static func root(in profile: SigningAuthority.Profile) -> CertificateTemplate {
        CertificateTemplate(
            profile: profile, commonName: "Receipt Root CA",
            constraints: .isCertificateAuthority(maxPathLength: 1),
            usage: KeyUsage(keyCertSign: true, cRLSign: true))
    }

    static func intermediate(in profile: SigningAuthority.Profile) -> CertificateTemplate {
        CertificateTemplate(
            profile: profile, commonName: "Receipt Intermediate CA",
            constraints: .isCertificateAuthority(maxPathLength: 0),
            usage: KeyUsage(keyCertSign: true, cRLSign: true),
            marker: .receiptAuthorityMarker)
    }

    static func leaf(in profile: SigningAuthority.Profile) -> CertificateTemplate {
        CertificateTemplate(
            profile: profile, commonName: "Receipt Signing",
            constraints: .notCertificateAuthority,
            usage: KeyUsage(digitalSignature: true),
            marker: .receiptSigningMarker)
    }

    var subject: DistinguishedName {
        get throws {
            try DistinguishedName {
                OrganizationName(profile.organization)
                CommonName("\(profile.organization) \(commonName)")
            }
        }
    }

    func certificate(
        for key: _RSA.Signing.PrivateKey, issuedBy issuer: DistinguishedName,
        with issuerKey: _RSA.Signing.PrivateKey, using random: inout some RandomNumberGenerator
    ) throws -> Certificate {
        let publicKey = Certificate.PublicKey(key.publicKey)
        let issuerPublicKey = Certificate.PublicKey(issuerKey.publicKey)
        var extensions = try Certificate.Extensions {
            Critical(constraints)
            Critical(usage)
            SubjectKeyIdentifier(hash: publicKey)
            AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuerPublicKey).keyIdentifier)
        }
        if let marker {
            // The marker's presence is what counts; its value is NULL.
            try extensions.append(.init(oid: marker, critical: false, value: [0x05, 0x00]))
        }
        return try Certificate(
            version: .v3,
            serialNumber: Self.serialNumber(using: &random),
            publicKey: publicKey,
            notValidBefore: profile.notValidBefore,
            notValidAfter: profile.notValidAfter,
            issuer: issuer,
            subject: subject,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(issuerKey))
    }

    /// 16 bytes, positive and of full length: the first byte is 64 to 127
    /// (RFC 5280, section 4.1.2.2, allows 20).
    private static func serialNumber(using random: inout some RandomNumberGenerator) -> Certificate.SerialNumber {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        bytes[0] = bytes[0] & 0x3F | 0x40
        return Certificate.SerialNumber(bytes: bytes)
    }
}
