// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
public import Foundation
import SwiftASN1
import X509

/// A store's authority to sign receipts: a root certificate that sellers
/// trust, an intermediate one, and the leaf that signs.
///
/// All keys are RSA keys of 2048 bits, all signatures are over SHA-256. The
/// authority signs receipts and nothing else.
public struct SigningAuthority: Sendable {
    /// One certificate with its key.
    struct Member: Sendable {
        var key: _RSA.Signing.PrivateKey
        var certificate: Certificate
        /// The certificate as DER.
        var der: [UInt8]

        init(key: _RSA.Signing.PrivateKey, certificate: Certificate) throws {
            self.key = key
            self.certificate = certificate
            var coder = DER.Serializer()
            try coder.serialize(certificate)
            der = coder.serializedBytes
        }

        var pem: String {
            PEMDocument(type: Certificate.defaultPEMDiscriminator, derBytes: der).pemString + "\n"
        }
    }

    let root: Member
    let intermediate: Member
    let leaf: Member
    let signer: IssuerAndSerialNumber

    init(root: Member, intermediate: Member, leaf: Member) throws {
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
        signer = try IssuerAndSerialNumber(of: leaf.certificate)
    }

    /// The root certificate as DER: what whoever verifies receipts has to
    /// trust.
    public var rootCertificate: Data { Data(root.der) }

    /// The root certificate as PEM.
    public var rootCertificatePEM: String { root.pem }

    /// Leaf, intermediate and root certificate as PEM, in that order.
    public var bundlePEM: String { leaf.pem + intermediate.pem + root.pem }

    /// A verifier that trusts this authority and no other.
    public var verifier: AppReceiptVerifier { AppReceiptVerifier(roots: [rootCertificate]) }
}
