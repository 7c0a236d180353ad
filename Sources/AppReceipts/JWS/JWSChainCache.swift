// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SwiftASN1
import Synchronization
import X509

/// The certificates of the headers that a verifier has seen, judged.
///
/// A store signs thousands of payloads with one leaf, and judging a chain
/// costs several times what one signature does. What is remembered is all but
/// the date.
final class JWSChainCache: Sendable {
    struct Chain: Sendable {
        var certificates = DatedCertificates([])
        var key: P256.Signing.PublicKey?
        var refusals: [AppReceiptVerifier.Refusal]
    }

    private static let most = 32

    private let roots: Set<Data>
    private let rootCertificates: [Certificate]
    private let profile: VerificationProfile
    private let revoked: RevokedCertificates
    /// By the headers' texts as `Data`, whose hash is over the first bytes
    /// only: an array's would be over thousands, one by one.
    private let known = Mutex<[Data: (header: JWSHeader, chain: Chain)]>([:])

    init(roots: [Data], profile: VerificationProfile, revoked: RevokedCertificates) {
        self.roots = Set(roots)
        rootCertificates = roots.compactMap { try? Certificate(derEncoded: Array($0)) }
        self.profile = profile
        self.revoked = revoked
    }

    /// The header of that text, if its chain is known.
    func header(_ text: Data) -> JWSHeader? {
        known.withLock { $0[text]?.header }
    }

    func chain(for header: JWSHeader) -> Chain {
        if let chain = known.withLock({ $0[header.text]?.chain }) { return chain }
        let chain = profile == .strict ? strictChain(header) : lenientChain(header)
        // Only what is trusted: others' headers would push it out.
        if chain.refusals.isEmpty {
            known.withLock { known in
                if known.count >= Self.most { known.removeAll() }
                known[header.text] = (header, chain)
            }
        }
        return chain
    }

    private func strictChain(_ header: JWSHeader) -> Chain {
        switch StrictChain.reading(header.certificates.map { $0[...] }, as: .jws) {
        case .failure(let unreadable): return Chain(refusals: [unreadable.refusal])
        case .success(let chain):
            return Chain(
                certificates: DatedCertificates(chain.certificates),
                key: P256.Signing.PublicKey(chain.leaf.publicKey),
                refusals: chain.refusals(trusting: roots, revoked: revoked, at: nil))
        }
    }

    private func lenientChain(_ header: JWSHeader) -> Chain {
        let certificates: [Certificate]
        do {
            certificates = try header.certificates.map { try Certificate(untrusted: $0[...]) }
        } catch {
            return Chain(refusals: [.init(.brokenChain, "A certificate can't be read: \(error)")])
        }
        let chain = LenientChain(
            from: certificates[0], among: Array(certificates.dropFirst()), trusting: rootCertificates)
        return Chain(
            certificates: DatedCertificates(chain.certificates), key: P256.Signing.PublicKey(certificates[0].publicKey),
            refusals: chain.refusals(
                signerMarker: .receiptSigningMarker, authorityMarker: .receiptAuthorityMarker, revoked: revoked,
                at: nil))
    }
}
