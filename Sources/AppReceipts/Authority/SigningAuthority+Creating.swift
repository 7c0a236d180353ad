// SPDX-License-Identifier: Apache-2.0

import Foundation
import X509

extension SigningAuthority {
    /// Creates an authority with new keys. This can take several seconds.
    ///
    /// - Parameters:
    ///   - profile: The certificates' names, validity and address.
    ///   - keys: Keys to use in place of new ones.
    ///   - random: The source of the serial numbers and of the elliptic-curve
    ///     keys. RSA keys come from the cryptographic library's own
    ///     generator, which can't be replaced.
    /// - Returns: The authority, which is in memory only.
    /// - Throws: An error of the cryptographic library, or of `keys`.
    public static func create(
        profile: Profile = .sandbox, keys: OperatorKeys = .none, using random: inout some RandomNumberGenerator
    ) throws -> SigningAuthority {
        let receipts = try NewChain(.receipts, profile: profile, keys: keys, using: &random)
        let jws = try NewChain(.jws, profile: profile, keys: keys, using: &random)
        return SigningAuthority(
            receipts: receipts.chain, jws: jws.chain,
            state: AuthorityState(initialLeaves: initialLeaves(receipts, jws)))
    }

    /// The leaves that sign until the first rotation.
    static func initialLeaves(_ receipts: NewChain, _ jws: NewChain) -> [LeafSlot: Member] {
        [
            LeafSlot(purpose: .receipts, environment: .sandbox): receipts.leaf,
            LeafSlot(purpose: .jws, environment: .sandbox): jws.leaf,
        ]
    }

    /// A chain with its first leaf, which are created and stored together.
    struct NewChain {
        var chain: Chain
        var leaf: Member

        init(chain: Chain, leaf: Member) {
            self.chain = chain
            self.leaf = leaf
        }

        init(
            _ kind: ChainKind, profile: Profile, keys: OperatorKeys, using random: inout some RandomNumberGenerator
        ) throws {
            func given(_ name: String) throws -> Certificate.PrivateKey? {
                try keys.find(AuthorityFiles(kind, name).keyName).map { try Certificate.PrivateKey(pemEncoded: $0) }
            }
            let root = try Member(
                .root(kind, in: profile), key: try given("root") ?? kind.makeAuthorityKey(using: &random),
                issuedBy: nil, using: &random)
            let intermediate = try Member(
                .intermediate(kind, in: profile),
                key: try given("intermediate") ?? kind.makeAuthorityKey(using: &random), issuedBy: root,
                using: &random)
            leaf = try Member(
                .leaf(kind, in: profile), key: try given("leaf") ?? kind.makeLeafKey(using: &random),
                issuedBy: intermediate, using: &random)
            chain = Chain(
                kind: kind, root: root, intermediate: intermediate,
                rootResponder: try Self.responder("root", of: root, kind, profile, using: &random),
                intermediateResponder: try Self.responder(
                    "intermediate", of: intermediate, kind, profile, using: &random))
        }

        static func responder(
            _ name: String, of issuer: Member, _ kind: ChainKind, _ profile: Profile,
            using random: inout some RandomNumberGenerator
        ) throws -> Member {
            try Member(
                .responder(of: name, kind, in: profile), key: ChainKind.makeResponderKey(using: &random),
                issuedBy: issuer, using: &random)
        }
    }
}
