// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
import X509

/// The certificates from a signer to a trusted root, by the lenient profile.
struct LenientChain {
    /// The chain, beginning with the signer. If `isTrusted`, the last
    /// certificate is a trusted root.
    private(set) var certificates: [Certificate]
    private(set) var isTrusted: Bool

    private static let longest = 6
    private static let mostCertificates = 16

    /// Builds the chain from a signer, with other certificates that are
    /// available.
    init(
        from signer: Certificate, among others: [Certificate], trusting roots: [Certificate]
    ) {
        certificates = [signer]
        isTrusted = roots.contains(signer)
        while !isTrusted, certificates.count < Self.longest, let last = certificates.last {
            if let root = roots.first(where: { last.isLenientlyIssued(by: $0) }) {
                certificates.append(root)
                isTrusted = true
                return
            }
            guard
                let next = others.prefix(Self.mostCertificates).first(where: { other in
                    !certificates.contains(other) && last.isLenientlyIssued(by: other)
                })
            else { return }
            certificates.append(next)
            isTrusted = roots.contains(next)
        }
    }

    /// Every reason not to trust the chain at a date. Without a date,
    /// validity isn't checked. The markers are the extensions that the signer
    /// and its issuer must have if the chain is longer than one certificate;
    /// nil requires none.
    func refusals(
        signerMarker: ASN1ObjectIdentifier?, authorityMarker: ASN1ObjectIdentifier?,
        revoked: RevokedCertificates, at date: Date?
    ) -> [AppReceiptVerifier.Refusal] {
        var refusals: [AppReceiptVerifier.Refusal] = []
        let signer = certificates[0]
        if !isTrusted {
            refusals.append(.init(.untrustedRoot, "\(signer.subject) is not issued under a trusted root certificate"))
        }
        if certificates.count > 1 {
            if let signerMarker, signer.extensions[oid: signerMarker] == nil {
                refusals.append(.init(.brokenChain, "\(signer.subject) is not marked as a signer of receipts"))
            }
            if let authorityMarker, certificates[1].extensions[oid: authorityMarker] == nil {
                refusals.append(
                    .init(.brokenChain, "\(certificates[1].subject) is not marked as an authority for receipts"))
            }
        }
        refusals += revoked.refusals(of: certificates)
        if let date { refusals += certificates.refusals(at: date) }
        return refusals
    }
}

extension Certificate {
    /// Whether an authority issued this certificate. Roots from before X.509
    /// version 3 have no extension that marks them as authorities.
    fileprivate func isLenientlyIssued(by authority: Certificate) -> Bool {
        guard issuer == authority.subject else { return false }
        let constraints = try? authority.extensions.basicConstraints
        if authority.version == .v3 {
            guard case .isCertificateAuthority = constraints else { return false }
        }
        if let usage = try? authority.extensions.keyUsage, !usage.keyCertSign { return false }
        return authority.publicKey.isValidSignature(signature, for: self)
    }
}
