// SPDX-License-Identifier: Apache-2.0

public import Foundation
import X509

extension SigningAuthority {
    /// Which of an authority's leaves: those for production rotate, the ones
    /// for the sandbox are valid for a century.
    public struct Environment: Hashable, Sendable {
        let slot: LeafSlot.Environment

        /// Test accounts.
        public static let sandbox = Environment(slot: .sandbox)
        /// Real purchases.
        public static let production = Environment(slot: .production)
    }

    /// How long a leaf for production signs, in seconds: 90 days.
    public static let productionLeafLifetime: TimeInterval = 90 * 86_400

    /// Gives an environment new leaves with new keys, in both chains.
    ///
    /// What the old ones signed stays good; their keys are removed from the
    /// authority's directory. A store that has the directory open signs with
    /// the new ones from then on.
    ///
    /// - Parameters:
    ///   - environment: Whose leaves. A sandbox's are as valid as the
    ///     intermediate certificate, production's from a day before `now`
    ///     for ``productionLeafLifetime`` and a month, so that there is time
    ///     to rotate.
    ///   - now: The time.
    ///   - publicAddress: Where the store is reached, or nil for where the
    ///     intermediate certificates say.
    ///   - random: Where serial numbers and the key of the elliptic curve
    ///     come from.
    /// - Throws: ``AppReceiptError``, or an error of the cryptographic library.
    public func rotateLeaves(
        of environment: Environment, now: Date, publicAddress: String?,
        using random: inout some RandomNumberGenerator
    ) throws {
        var made: [(LeafSlot, Member)] = []
        for purpose in [LeafSlot.Purpose.receipts, .jws] {
            let chain = chain(purpose)
            let slot = LeafSlot(purpose: purpose, environment: environment.slot)
            let isProduction = environment == .production
            let intermediate = chain.intermediate.certificate
            let profile = Profile(
                organization: Self.organization(of: intermediate),
                notValidBefore: isProduction ? now.addingTimeInterval(-86_400) : intermediate.notValidBefore,
                notValidAfter: isProduction
                    ? now.addingTimeInterval(Self.productionLeafLifetime + 30 * 86_400) : intermediate.notValidAfter,
                publicAddress: publicAddress ?? Self.publicAddress(in: intermediate))
            let key = try chain.kind.makeLeafKey(using: &random)
            made.append(
                (
                    slot,
                    try Member(.leaf(chain.kind, in: profile), key: key, issuedBy: chain.intermediate, using: &random)
                ))
        }
        try state.change { contents in
            for (slot, leaf) in made { contents.replaceLeaf(in: slot, with: leaf) }
        }
    }

    /// The address that a certificate was made with.
    private static func publicAddress(in certificate: Certificate) -> String? {
        let suffix = "/pki/ocsp"
        guard let information = try? certificate.extensions.authorityInformationAccess else { return nil }
        for description in information {
            if case .uniformResourceIdentifier(let address) = description.location, address.hasSuffix(suffix) {
                return String(address.dropLast(suffix.count))
            }
        }
        return nil
    }

    /// Whether there are leaves for production: then this is an authority whose
    /// receipts are worth money.
    ///
    /// - Throws: ``AppReceiptError`` if the authority's directory can't be
    ///   read any more.
    public var signsForProduction: Bool {
        get throws(AppReceiptError) {
            try state.current().leaves.keys.contains { $0.environment == .production }
        }
    }

    /// Whether production's leaves are missing, or have signed for
    /// ``productionLeafLifetime``.
    ///
    /// - Throws: ``AppReceiptError`` if the authority's directory can't be
    ///   read any more.
    public func needsRotation(at now: Date) throws(AppReceiptError) -> Bool {
        let leaves = try state.current().leaves
        for purpose in [LeafSlot.Purpose.receipts, .jws] {
            guard let leaf = leaves[LeafSlot(purpose: purpose, environment: .production)] else { return true }
            let signedSince = leaf.certificate.notValidBefore.addingTimeInterval(86_400)
            if now >= signedSince.addingTimeInterval(Self.productionLeafLifetime) { return true }
        }
        return false
    }
}

extension AuthorityState.Contents {
    fileprivate mutating func replaceLeaf(in slot: LeafSlot, with leaf: SigningAuthority.Member) {
        if let old = leaves[slot] {
            index.retired.append(.init(slot: slot, serialNumber: old.serialNumber))
        }
        index.leaves.removeAll { $0.slot == slot }
        index.leaves.append(.init(slot: slot, serialNumber: leaf.serialNumber))
        leaves[slot] = leaf
    }
}
