// SPDX-License-Identifier: Apache-2.0

import SwiftASN1
import X509

// The rules of RFC 5280 for each certificate of a receipt, with its options
// narrowed to those that a signing authority uses. Each function returns a
// list of faults, which is empty for a correct certificate.
extension Certificate {
    /// The faults of a certificate that issues others. It has to be marked as
    /// an authority, and may limit how many authorities are between it and
    /// the leaf (RFC 5280, section 4.2.1.9).
    func faults(
        asAuthorityAbove authorities: Int, marked marker: ASN1ObjectIdentifier? = nil
    ) -> [String] {
        var faults = commonFaults()
        if case .isCertificateAuthority(let maximum) = try? extensions.basicConstraints {
            if let maximum, maximum < authorities { faults.append("\(subject) may not issue authorities") }
        } else {
            faults.append("\(subject) is not a certificate authority")
        }
        if (try? extensions.keyUsage)?.keyCertSign != true {
            faults.append("\(subject) may not sign certificates")
        }
        if let marker, extensions[oid: marker] == nil {
            faults.append("\(subject) is not marked as an authority for receipts")
        }
        return faults
    }

    func faultsAsSigner() -> [String] {
        var faults = commonFaults()
        if (try? extensions.basicConstraints) != .notCertificateAuthority {
            faults.append("\(subject) signs receipts and is a certificate authority")
        }
        if (try? extensions.keyUsage)?.digitalSignature != true {
            faults.append("\(subject) may not sign")
        }
        if extensions[oid: .receiptSigningMarker] == nil {
            faults.append("\(subject) is not marked as a signer of receipts")
        }
        return faults
    }

    func faults(issuedBy authority: Certificate, as kind: ChainKind) -> [String] {
        guard issuer == authority.subject else {
            return ["\(subject) is not issued by \(authority.subject)"]
        }
        guard
            let authorityKey = try? extensions.authorityKeyIdentifier?.keyIdentifier,
            let key = try? authority.extensions.subjectKeyIdentifier?.keyIdentifier,
            authorityKey == key
        else {
            return ["\(subject) names another key of \(authority.subject)"]
        }
        guard
            signatureAlgorithm == kind.signatureAlgorithm, isEncodedAsSigned(as: kind),
            authority.publicKey.isValidSignature(signature, for: self)
        else {
            return ["\(subject) is not signed by \(authority.subject)"]
        }
        return []
    }

    private func commonFaults() -> [String] {
        var faults: [String] = []
        if version != .v3 { faults.append("\(subject) is not an X.509 version 3 certificate") }
        // A critical extension that isn't understood has to be refused (RFC
        // 5280, section 4.2).
        let understood: Set<ASN1ObjectIdentifier> = [
            .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
        ]
        for other in extensions where other.critical && !understood.contains(other.oid) {
            faults.append("\(subject) has the unknown critical extension \(other.oid)")
        }
        return faults
    }

    /// Whether the unsigned part of the certificate, which is the signature's
    /// algorithm and the bit string around the signature, has the form that a
    /// signing authority writes.
    ///
    /// X509 accepts RSA parameters that are absent, as RFC 4055 requires. One
    /// certificate would then have two encodings.
    private func isEncodedAsSigned(as kind: ChainKind) -> Bool {
        var coder = DER.Serializer()
        var actual = DER.Serializer()
        do {
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                coder.serializeRawBytes(tbsCertificateBytes)
                try coder.serialize(AlgorithmIdentifier.certificateSignature(kind))
                try coder.serialize(ASN1BitString(bytes: signature.rawRepresentation[...]))
            }
            try actual.serialize(self)
        } catch {
            return false
        }
        return coder.serializedBytes == actual.serializedBytes
    }
}

extension AlgorithmIdentifier {
    /// RSA's parameters are NULL, those of ECDSA are absent (RFC 5758,
    /// section 3.2).
    static func certificateSignature(_ kind: ChainKind) -> AlgorithmIdentifier {
        kind == .receipts
            ? AlgorithmIdentifier(algorithm: .sha256WithRSA, parameters: [0x05, 0x00])
            : AlgorithmIdentifier(algorithm: .ecdsaWithSHA384, parameters: nil)
    }
}
