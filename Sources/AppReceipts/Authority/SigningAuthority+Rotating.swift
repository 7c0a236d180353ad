// SPDX-License-Identifier: Apache-2.0

public import Foundation
import X509

extension SigningAuthority {
    /// The environment for which a leaf signs.
    public struct Environment: Hashable, Sendable {
        let slot: LeafSlot.Environment

        /// Test accounts.
        public static let sandbox = Environment(slot: .sandbox)
        /// Real purchases.
        public static let production = Environment(slot: .production)
    }

    /// The time for which a leaf for production signs, in seconds: 90 days.
    public static let productionLeafLifetime: TimeInterval = 90 * 86_400

    /// Replaces an environment's leaves in both chains by new ones with new
    /// keys.
    ///
    /// Receipts and payloads that the old leaves signed remain valid. The
    /// keys of the old leaves are removed from the authority's storage,
    /// except those of the first leaves, without which the authority can't be
    /// loaded. A running store with the same storage signs with the new
    /// leaves from then on.
    ///
    /// - Parameters:
    ///   - environment: The environment. Leaves for the sandbox are valid as
    ///     long as the intermediate certificate. Leaves for production are
    ///     valid from a day before `now`, for ``productionLeafLifetime``
    ///     after `now` and 30 more days, so that there is time to rotate.
    ///   - now: The time.
    ///   - publicAddress: The store's address, or nil to use the one in the
    ///     intermediate certificates.
    ///   - random: The source of the serial numbers and of the elliptic-curve
    ///     key.
    /// - Throws: ``AppReceiptError``, or an error of the cryptographic
    ///   library.
    public func rotateLeaves(
        of environment: Environment, now: Date, publicAddress: String?,
        using random: inout some RandomNumberGenerator
    ) throws {
        let made = try makeLeaves(of: environment, now: now, publicAddress: publicAddress, using: &random)
        try state.change { contents in
            for (slot, leaf) in made { contents.replaceLeaf(in: slot, with: leaf) }
        }
    }

    /// Replaces the leaves of production if they are due. If another process
    /// does so at the same time, its leaves are used.
    ///
    /// - Returns: Whether this process has replaced them.
    /// - Throws: The errors of
    ///   ``rotateLeaves(of:now:publicAddress:using:)``.
    package func rotateLeavesIfDue(
        now: Date, publicAddress: String?, using random: inout some RandomNumberGenerator
    ) async throws -> Bool {
        try await refresh(now: now)
        guard try needsRotation(at: now) else { return false }
        let made = try makeLeaves(of: .production, now: now, publicAddress: publicAddress, using: &random)
        var isReplaced = false
        try state.change { contents in
            isReplaced = contents.needsRotation(at: now)
            guard isReplaced else { return }
            for (slot, leaf) in made { contents.replaceLeaf(in: slot, with: leaf) }
        }
        return isReplaced
    }

    private func makeLeaves(
        of environment: Environment, now: Date, publicAddress: String?,
        using random: inout some RandomNumberGenerator
    ) throws -> [(LeafSlot, Member)] {
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
        return made
    }

    /// The store's address in a certificate.
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

    /// Whether there are leaves for production. Such an authority signs
    /// receipts of real purchases.
    ///
    /// - Throws: ``AppReceiptError`` if the authority's storage can't be
    ///   read any more.
    public var signsForProduction: Bool {
        get throws(AppReceiptError) {
            try state.current().leaves.keys.contains { $0.environment == .production }
        }
    }

    /// Whether a leaf for production is missing, or has signed for
    /// ``productionLeafLifetime``.
    ///
    /// - Throws: ``AppReceiptError`` if the authority's storage can't be
    ///   read any more.
    public func needsRotation(at now: Date) throws(AppReceiptError) -> Bool {
        try state.current().needsRotation(at: now)
    }
}

extension AuthorityState.Contents {
    fileprivate func needsRotation(at now: Date) -> Bool {
        for purpose in [LeafSlot.Purpose.receipts, .jws] {
            guard let leaf = leaves[LeafSlot(purpose: purpose, environment: .production)] else { return true }
            let signedSince = leaf.certificate.notValidBefore.addingTimeInterval(86_400)
            if now >= signedSince.addingTimeInterval(SigningAuthority.productionLeafLifetime) { return true }
        }
        return false
    }

    fileprivate mutating func replaceLeaf(in slot: LeafSlot, with leaf: SigningAuthority.Member) {
        if let old = leaves[slot] {
            index.retired.append(.init(slot: slot, serialNumber: old.serialNumber))
        }
        index.leaves.removeAll { $0.slot == slot }
        index.leaves.append(.init(slot: slot, serialNumber: leaf.serialNumber))
        leaves[slot] = leaf
    }
}
