// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
import X509

/// The differences between the root, intermediate, leaf and OCSP delegate
/// certificates.
///
/// Every certificate has basic constraints, key usage and both key
/// identifiers: OpenSSL's strict mode (`X509_V_FLAG_X509_STRICT`), which
/// clients of the App Store Server API turn on, refuses a certificate without
/// them.
struct CertificateTemplate {
    var profile: SigningAuthority.Profile
    var kind: ChainKind
    var commonName: String
    var constraints: BasicConstraints
    var usage: KeyUsage
    var marker: ASN1ObjectIdentifier?
    /// The name of the issuing certificate in addresses, such as `root`.
    var issuerName: String?
    var isResponder = false

    static func root(_ kind: ChainKind, in profile: SigningAuthority.Profile) -> CertificateTemplate {
        CertificateTemplate(
            profile: profile, kind: kind, commonName: "Root CA",
            constraints: .isCertificateAuthority(maxPathLength: 1),
            usage: KeyUsage(keyCertSign: true, cRLSign: true))
    }

    static func intermediate(_ kind: ChainKind, in profile: SigningAuthority.Profile) -> CertificateTemplate {
        CertificateTemplate(
            profile: profile, kind: kind, commonName: "Intermediate CA",
            constraints: .isCertificateAuthority(maxPathLength: 0),
            usage: KeyUsage(keyCertSign: true, cRLSign: true),
            marker: .receiptAuthorityMarker, issuerName: "root")
    }

    static func leaf(_ kind: ChainKind, in profile: SigningAuthority.Profile) -> CertificateTemplate {
        CertificateTemplate(
            profile: profile, kind: kind, commonName: "Signing",
            constraints: .notCertificateAuthority,
            usage: KeyUsage(digitalSignature: true),
            marker: .receiptSigningMarker, issuerName: "intermediate")
    }

    static func responder(
        of issuerName: String, _ kind: ChainKind, in profile: SigningAuthority.Profile
    ) -> CertificateTemplate {
        CertificateTemplate(
            profile: profile, kind: kind, commonName: "\(issuerName.capitalized) OCSP Responder",
            constraints: .notCertificateAuthority,
            usage: KeyUsage(digitalSignature: true), issuerName: issuerName, isResponder: true)
    }

    var subject: DistinguishedName {
        get throws {
            try DistinguishedName {
                OrganizationName(profile.organization)
                CommonName("\(profile.organization) \(kind.label) \(commonName)")
            }
        }
    }

    func certificate(
        for publicKey: Certificate.PublicKey, issuedBy issuer: DistinguishedName,
        with issuerKey: Certificate.PrivateKey, using random: inout some RandomNumberGenerator
    ) throws -> Certificate {
        let issuerKeyIdentifier = SubjectKeyIdentifier(hash: issuerKey.publicKey).keyIdentifier
        var extensions = try Certificate.Extensions {
            Critical(constraints)
            Critical(usage)
            SubjectKeyIdentifier(hash: publicKey)
            AuthorityKeyIdentifier(keyIdentifier: issuerKeyIdentifier)
        }
        try addPurpose(to: &extensions)
        try addAddresses(to: &extensions)
        return try Certificate(
            version: .v3,
            serialNumber: Self.serialNumber(using: &random),
            publicKey: publicKey,
            notValidBefore: profile.notValidBefore,
            notValidAfter: profile.notValidAfter,
            issuer: issuer,
            subject: subject,
            signatureAlgorithm: kind.signatureAlgorithm,
            extensions: extensions,
            issuerPrivateKey: issuerKey)
    }

    private func addPurpose(to extensions: inout Certificate.Extensions) throws {
        if let marker {
            // Verifiers check only that the marker is present. Its value is
            // NULL.
            try extensions.append(.init(oid: marker, critical: false, value: [0x05, 0x00]))
        }
        if isResponder {
            try extensions.append(.init(ExtendedKeyUsage([.ocspSigning]), critical: false))
            // A client doesn't check the revocation of a responder with this
            // extension (RFC 6960, section 4.2.2.2.1).
            try extensions.append(.init(oid: .ocspNoCheck, critical: false, value: [0x05, 0x00]))
        }
    }

    /// Adds the addresses of the OCSP responder, of the issuer's certificate
    /// and of the revocation list (RFC 5280, sections 4.2.2.1 and 4.2.1.13).
    private func addAddresses(to extensions: inout Certificate.Extensions) throws {
        guard let address = profile.publicAddress, let issuerName, !isResponder else { return }
        let issuerFile = "\(address)/pki/\(kind.prefix)\(issuerName)"
        let information = AuthorityInformationAccess([
            .init(method: .ocspServer, location: .uniformResourceIdentifier("\(address)/pki/ocsp")),
            .init(method: .issuingCA, location: .uniformResourceIdentifier("\(issuerFile).cer")),
        ])
        try extensions.append(.init(information, critical: false))
        try extensions.append(
            .init(
                oid: .revocationListDistribution, critical: false,
                value: RevocationListDistribution(address: "\(issuerFile).crl").encoded()[...]))
    }

    /// A random number of 16 bytes (RFC 5280, section 4.1.2.2, allows 20).
    /// The first byte is 64 to 127, so that the number is positive and has no
    /// leading zero.
    static func serialNumber(using random: inout some RandomNumberGenerator) -> Certificate.SerialNumber {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        bytes[0] = bytes[0] & 0x3F | 0x40
        return Certificate.SerialNumber(bytes: bytes)
    }
}
