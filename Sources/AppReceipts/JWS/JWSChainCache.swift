// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SwiftASN1
import Synchronization
import X509

/// A cache of the trusted certificate chains of JWS headers.
///
/// A store signs thousands of payloads with one leaf, and checking a chain
/// costs several times as much as checking one signature. An entry has the
/// result of all checks except the one of the date.
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
    /// The entries by their headers' texts. The key is `Data`, because its
    /// hash covers the first bytes only; an array's hash would cover all of
    /// them, often thousands.
    private let known = Mutex<[Data: (header: JWSHeader, chain: Chain)]>([:])

    init(roots: [Data], profile: VerificationProfile, revoked: RevokedCertificates) {
        self.roots = Set(roots)
        rootCertificates = roots.compactMap { try? Certificate(derEncoded: Array($0)) }
        self.profile = profile
        self.revoked = revoked
    }

    /// The header with that text, if its chain is in the cache.
    func header(_ text: Data) -> JWSHeader? {
        known.withLock { $0[text]?.header }
    }

    func chain(for header: JWSHeader) -> Chain {
        if let chain = known.withLock({ $0[header.text]?.chain }) { return chain }
        let chain = profile == .strict ? strictChain(header) : lenientChain(header)
        // Only trusted chains are kept, so that others can't displace them.
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
