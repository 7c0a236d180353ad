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
        var certificates: [Certificate] = []
        var key: P256.Signing.PublicKey?
        var refusals: [AppReceiptVerifier.Refusal]
    }

    private static let most = 32

    private let roots: Set<Data>
    private let rootCertificates: [Certificate]
    private let profile: VerificationProfile
    private let revoked: RevokedCertificates
    private let known = Mutex<[[UInt8]: Chain]>([:])

    init(roots: [Data], profile: VerificationProfile, revoked: RevokedCertificates) {
        self.roots = Set(roots)
        rootCertificates = roots.compactMap { try? Certificate(derEncoded: Array($0)) }
        self.profile = profile
        self.revoked = revoked
    }

    func chain(for headerText: [UInt8], _ header: JWSHeader) -> Chain {
        if let chain = known.withLock({ $0[headerText] }) { return chain }
        let chain = profile == .strict ? strictChain(header) : lenientChain(header)
        // Only what is trusted: others' headers would push it out.
        if chain.refusals.isEmpty {
            known.withLock { known in
                if known.count >= Self.most { known.removeAll() }
                known[headerText] = chain
            }
        }
        return chain
    }

    private func strictChain(_ header: JWSHeader) -> Chain {
        switch StrictChain.reading(header.certificates.map { $0[...] }, as: .jws) {
        case .failure(let unreadable): return Chain(refusals: [unreadable.refusal])
        case .success(let chain):
            return Chain(
                certificates: [chain.leaf, chain.intermediate, chain.root],
                key: P256.Signing.PublicKey(chain.leaf.publicKey),
                refusals: chain.refusals(trusting: roots, revoked: revoked, at: nil))
        }
    }

    private func lenientChain(_ header: JWSHeader) -> Chain {
        let certificates: [Certificate]
        do {
            certificates = try header.certificates.map { try Certificate(derEncoded: $0) }
        } catch {
            return Chain(refusals: [.init(.brokenChain, "A certificate can't be read: \(error)")])
        }
        let chain = LenientChain(
            from: certificates[0], among: Array(certificates.dropFirst()), trusting: rootCertificates)
        return Chain(
            certificates: chain.certificates, key: P256.Signing.PublicKey(certificates[0].publicKey),
            refusals: chain.refusals(
                signerMarker: .receiptSigningMarker, authorityMarker: .receiptAuthorityMarker, revoked: revoked,
                at: nil))
    }
}
