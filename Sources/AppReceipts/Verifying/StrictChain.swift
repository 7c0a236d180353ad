// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
import X509

/// The three certificates of a receipt: leaf, intermediate, root.
///
/// The chain is checked by hand and not by X509's verifier, because that one
/// builds a chain, where ours is given, and is asynchronous, because a policy
/// of another kind may ask the network.
struct ReceiptCertificateChain {
    /// Why there is no chain to check.
    struct Unreadable: Error {
        var refusal: AppReceiptVerifier.Refusal
    }

    var leaf: Certificate
    var intermediate: Certificate
    var root: Certificate
    private var rootBytes: ArraySlice<UInt8>

    static func reading(_ certificates: [ArraySlice<UInt8>]) -> Result<ReceiptCertificateChain, Unreadable> {
        guard certificates.count == 3 else {
            return .failure(
                Unreadable(refusal: .init(.brokenChain, "There are \(certificates.count) certificates, not three")))
        }
        do {
            return .success(
                ReceiptCertificateChain(
                    leaf: try Certificate(derEncoded: certificates[0]),
                    intermediate: try Certificate(derEncoded: certificates[1]),
                    root: try Certificate(derEncoded: certificates[2]),
                    rootBytes: certificates[2]))
        } catch {
            return .failure(Unreadable(refusal: .init(.brokenChain, "A certificate can't be read: \(error)")))
        }
    }

    func refusals(trusting roots: Set<Data>, at date: Date) -> [AppReceiptVerifier.Refusal] {
        var refusals: [AppReceiptVerifier.Refusal] = []
        // The root's own signature isn't looked at: it is trusted because it
        // is known, to the byte, and not because it vouches for itself.
        if !roots.contains(Data(rootBytes)) {
            refusals.append(.init(.untrustedRoot, "The root certificate \(root.subject) is not a trusted one"))
        }
        let faults =
            root.faults(asAuthorityAbove: 1)
            + intermediate.faults(asAuthorityAbove: 0, marked: .receiptAuthorityMarker)
            + leaf.faultsAsSigner()
            + intermediate.faults(issuedBy: root)
            + leaf.faults(issuedBy: intermediate)
        refusals += faults.map { .init(.brokenChain, $0) }
        for certificate in [leaf, intermediate, root]
        where date < certificate.notValidBefore || date > certificate.notValidAfter {
            refusals.append(
                .init(
                    .certificateNotValidAtSigning,
                    "The certificate \(certificate.subject) is not valid at the receipt's creation date"))
        }
        return refusals
    }
}
