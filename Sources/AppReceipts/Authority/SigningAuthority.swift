// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftASN1
import X509

/// The certificates and keys with which a store signs: two chains, each of a
/// root certificate that sellers trust, an intermediate certificate, and a
/// leaf that signs.
///
/// The chain for receipts has RSA keys of 2048 bits. The chain for JWS has
/// P-384 keys and a P-256 leaf. The authority signs receipts, payloads, OCSP
/// responses and revocation lists of the store, and nothing else.
public struct SigningAuthority: Sendable {
    let receipts: Chain
    let jws: Chain
    let state: AuthorityState

    init(receipts: Chain, jws: Chain, state: AuthorityState) {
        self.receipts = receipts
        self.jws = jws
        self.state = state
    }

    /// The root certificate of receipts as DER, which verifiers of receipts
    /// have to trust.
    public var rootCertificate: Data { Data(receipts.root.der) }

    /// The root certificate of receipts as PEM.
    public var rootCertificatePEM: String { receipts.root.pem }

    /// The root certificate of JWS as DER, which verifiers of signed
    /// transactions and notifications have to trust.
    public var jwsRootCertificate: Data { Data(jws.root.der) }

    /// The root certificate of JWS as PEM.
    public var jwsRootCertificatePEM: String { jws.root.pem }

    /// Both root certificates as PEM: a file for ``TrustRoots``.
    public var rootsPEM: String { receipts.root.pem + jws.root.pem }

    /// Leaf, intermediate and root certificate of receipts, then those of
    /// JWS, as PEM. The leaves are those for the sandbox.
    ///
    /// - Throws: ``AppReceiptError`` if the authority's storage can't be
    ///   read any more.
    public var bundlePEM: String {
        get throws(AppReceiptError) {
            let receiptLeaf = try leaf(.receipts)
            let jwsLeaf = try leaf(.jws)
            return receiptLeaf.pem + receipts.intermediate.pem + receipts.root.pem
                + jwsLeaf.pem + jws.intermediate.pem + jws.root.pem
        }
    }

    /// The root and intermediate certificates as DER, by their names in
    /// addresses: `root`, `intermediate`, `jws-root`, `jws-intermediate`.
    public var issuingCertificates: [String: Data] {
        Dictionary(
            uniqueKeysWithValues: (receipts.certificateNames + jws.certificateNames).map { ($0.name, Data($0.der)) })
    }

    func chain(_ purpose: LeafSlot.Purpose) -> Chain { purpose == .receipts ? receipts : jws }

    /// The leaf that signs for an environment. Without a leaf for production,
    /// the sandbox's signs.
    func leaf(
        _ purpose: LeafSlot.Purpose, for environment: LeafSlot.Environment = .sandbox
    ) throws(AppReceiptError) -> Member {
        let leaves = try state.current().leaves
        guard
            let leaf = leaves[LeafSlot(purpose: purpose, environment: environment)]
                ?? leaves[LeafSlot(purpose: purpose, environment: .sandbox)]
        else {
            throw AppReceiptError(.authorityDamaged, "There is no leaf that signs \(purpose.rawValue)")
        }
        return leaf
    }
}
