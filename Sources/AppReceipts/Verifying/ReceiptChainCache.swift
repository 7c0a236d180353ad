// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import X509

/// The chains of receipts that a verifier has seen, judged by all but the date.
///
/// A store signs all of its receipts with one leaf, and reading and judging
/// three certificates costs many times what one signature does.
final class ReceiptChainCache: Sendable {
    struct Judged: Sendable {
        var certificates: DatedCertificates
        var key: Certificate.PublicKey
        /// How a receipt names the leaf; nil if it can't be written.
        var signer: IssuerAndSerialNumber?
        var refusals: [AppReceiptVerifier.Refusal]
    }

    private static let most = 32

    private let roots: Set<Data>
    private let revoked: RevokedCertificates
    /// By the certificates as `Data`, whose hash is over the first bytes only:
    /// an array's would be over thousands, one by one.
    private let known = Mutex<[Data: Judged]>([:])

    init(roots: Set<Data>, revoked: RevokedCertificates) {
        self.roots = roots
        self.revoked = revoked
    }

    func judge(_ certificates: [ArraySlice<UInt8>]) -> Result<Judged, StrictChain.Unreadable> {
        // One behind the other they are still the same: each says how long it is.
        var key = Data(capacity: certificates.reduce(0) { $0 + $1.count })
        for certificate in certificates { key.append(contentsOf: certificate) }
        if let judged = known.withLock({ $0[key] }) { return .success(judged) }
        // Copies, because a slice would keep the whole receipt.
        let certificates = certificates.map { ArraySlice(Array($0)) }
        return StrictChain.reading(certificates, as: .receipts).map { chain in
            let judged = Judged(
                certificates: DatedCertificates(chain.certificates), key: chain.leaf.publicKey,
                signer: try? IssuerAndSerialNumber(of: chain.leaf),
                refusals: chain.refusals(trusting: roots, revoked: revoked, at: nil))
            // Only what is trusted: others' certificates would push it out.
            if judged.refusals.isEmpty {
                known.withLock { known in
                    if known.count >= Self.most { known.removeAll() }
                    known[key] = judged
                }
            }
            return judged
        }
    }
}
