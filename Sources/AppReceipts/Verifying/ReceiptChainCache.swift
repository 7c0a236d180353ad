// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import X509

/// A cache of the trusted certificate chains of receipts.
///
/// A store signs all receipts of an environment with one leaf, and parsing
/// and checking three certificates costs many times as much as checking one
/// signature. An entry has the result of all checks except the one of the
/// date.
final class ReceiptChainCache: Sendable {
    struct Judged: Sendable {
        var certificates: DatedCertificates
        var key: Certificate.PublicKey
        /// The issuer and serial number that name the leaf in a receipt; nil
        /// if they can't be encoded.
        var signer: IssuerAndSerialNumber?
        var refusals: [AppReceiptVerifier.Refusal]
    }

    private static let most = 32

    private let roots: Set<Data>
    private let revoked: RevokedCertificates
    /// The entries by their certificates. The key is `Data`, because its hash
    /// covers the first bytes only; an array's hash would cover all of them,
    /// often thousands.
    private let known = Mutex<[Data: Judged]>([:])

    init(roots: Set<Data>, revoked: RevokedCertificates) {
        self.roots = roots
        self.revoked = revoked
    }

    func judge(_ certificates: [ArraySlice<UInt8>]) -> Result<Judged, StrictChain.Unreadable> {
        // Concatenated certificates are unambiguous, because each one
        // contains its length.
        var key = Data(capacity: certificates.reduce(0) { $0 + $1.count })
        for certificate in certificates { key.append(contentsOf: certificate) }
        if let judged = known.withLock({ $0[key] }) { return .success(judged) }
        // Copied, because a slice would keep the whole receipt in memory.
        let certificates = certificates.map { ArraySlice(Array($0)) }
        return StrictChain.reading(certificates, as: .receipts).map { chain in
            let judged = Judged(
                certificates: DatedCertificates(chain.certificates), key: chain.leaf.publicKey,
                signer: try? IssuerAndSerialNumber(of: chain.leaf),
                refusals: chain.refusals(trusting: roots, revoked: revoked, at: nil))
            // Only trusted chains are kept, so that others can't displace
            // them.
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
