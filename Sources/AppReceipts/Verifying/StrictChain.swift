// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
import X509

/// The three certificates of a document that a store signed: leaf,
/// intermediate, root.
///
/// The chain isn't checked with X509's verifier, because that one builds a
/// chain, while this one is given, and is asynchronous, because a policy may
/// use the network.
struct StrictChain: Sendable {
    /// The reason why there is no chain to check.
    struct Unreadable: Error {
        var refusal: AppReceiptVerifier.Refusal
    }

    var kind: ChainKind
    var leaf: Certificate
    var intermediate: Certificate
    var root: Certificate
    var rootBytes: ArraySlice<UInt8>

    var certificates: [Certificate] { [leaf, intermediate, root] }

    static func reading(
        _ certificates: [ArraySlice<UInt8>], as kind: ChainKind
    ) -> Result<StrictChain, Unreadable> {
        guard certificates.count == 3 else {
            return .failure(
                Unreadable(refusal: .init(.brokenChain, "There are \(certificates.count) certificates, not three")))
        }
        do {
            return .success(
                StrictChain(
                    kind: kind,
                    leaf: try Certificate(untrusted: certificates[0]),
                    intermediate: try Certificate(untrusted: certificates[1]),
                    root: try Certificate(untrusted: certificates[2]),
                    rootBytes: certificates[2]))
        } catch {
            return .failure(Unreadable(refusal: .init(.brokenChain, "A certificate can't be read: \(error)")))
        }
    }

    /// Every reason not to trust the chain at a date. Without a date,
    /// validity isn't checked.
    func refusals(
        trusting roots: Set<Data>, revoked: RevokedCertificates, at date: Date?
    ) -> [AppReceiptVerifier.Refusal] {
        var refusals: [AppReceiptVerifier.Refusal] = []
        // The root's own signature isn't checked: the root is trusted because
        // its bytes are those of a trusted certificate.
        if !roots.contains(Data(rootBytes)) {
            refusals.append(.init(.untrustedRoot, "The root certificate \(root.subject) is not a trusted one"))
        }
        for certificate in [leaf, intermediate] where certificate.isSignedWithSHA1 {
            refusals.append(.init(.weakAlgorithm, "\(certificate.subject) is signed with SHA-1"))
        }
        let faults =
            root.faults(asAuthorityAbove: 1)
            + intermediate.faults(asAuthorityAbove: 0, marked: .receiptAuthorityMarker)
            + leaf.faultsAsSigner()
            + intermediate.faults(issuedBy: root, as: kind)
            + leaf.faults(issuedBy: intermediate, as: kind)
        refusals += faults.map { .init(.brokenChain, $0) }
        refusals += revoked.refusals(of: [leaf, intermediate])
        if let date { refusals += certificates.refusals(at: date) }
        return refusals
    }
}

extension [Certificate] {
    func refusals(at date: Date) -> [AppReceiptVerifier.Refusal] {
        filter { date < $0.notValidBefore || date > $0.notValidAfter }.map { certificate in
            .init(
                .certificateNotValidAtSigning, "The certificate \(certificate.subject) is not valid at \(date)")
        }
    }
}

extension Certificate {
    var isSignedWithSHA1: Bool { signatureAlgorithm == .sha1WithRSAEncryption }
}
