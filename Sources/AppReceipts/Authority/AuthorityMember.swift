// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
import X509

extension SigningAuthority {
    /// One certificate with its key.
    struct Member: Sendable {
        var key: Certificate.PrivateKey
        var certificate: Certificate
        /// The certificate as DER.
        var der: [UInt8]
        /// The issuer and serial number that name the certificate as a
        /// signer.
        var signer: IssuerAndSerialNumber
        /// The first and the last moment at which the certificate is valid.
        var validity: (from: Date, to: Date)

        init(key: Certificate.PrivateKey, certificate: Certificate) throws {
            self.key = key
            self.certificate = certificate
            var coder = DER.Serializer()
            try coder.serialize(certificate)
            der = coder.serializedBytes
            signer = try IssuerAndSerialNumber(of: certificate)
            validity = (certificate.notValidBefore, certificate.notValidAfter)
        }

        /// Issues a new certificate for a key.
        init(
            _ template: CertificateTemplate, key: Certificate.PrivateKey, issuedBy issuer: Member?,
            using random: inout some RandomNumberGenerator
        ) throws {
            try self.init(
                key: key,
                certificate: template.certificate(
                    for: key.publicKey, issuedBy: issuer?.certificate.subject ?? template.subject,
                    with: issuer?.key ?? key, using: &random))
        }

        var pem: String {
            PEMDocument(type: Certificate.defaultPEMDiscriminator, derBytes: der).pemString + "\n"
        }

        var keyPEM: String {
            get throws { try key.serializeAsPEM().pemString + "\n" }
        }

        var serialNumber: SerialNumber { SerialNumber(certificate.serialNumber) }
    }

    /// The root and intermediate certificates, and the delegates that sign
    /// OCSP responses for them.
    struct Chain: Sendable {
        var kind: ChainKind
        var root: Member
        var intermediate: Member
        var rootResponder: Member
        var intermediateResponder: Member

        var certificateNames: [(name: String, der: [UInt8])] {
            [("\(kind.prefix)root", root.der), ("\(kind.prefix)intermediate", intermediate.der)]
        }
    }
}
