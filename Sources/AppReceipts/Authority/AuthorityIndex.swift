// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What changes about an authority, as `index.json` in its directory has it.
///
/// An authority that has never changed has no such file.
struct AuthorityIndex: Codable, Equatable, Sendable {
    /// A leaf that signs now.
    struct Leaf: Codable, Equatable, Sendable {
        var slot: LeafSlot
        var serialNumber: SerialNumber
    }

    /// A leaf that signed once, whose receipts are still good.
    struct Retired: Codable, Equatable, Sendable {
        var slot: LeafSlot
        var serialNumber: SerialNumber
    }

    /// Leaves other than the first ones; a slot that isn't here has none of
    /// its own.
    var leaves: [Leaf] = []
    var retired: [Retired] = []
    var revoked: [Revocation] = []
    /// Counts the changes: the number of the revocation lists.
    var revision = 0
}

/// What a leaf is for.
struct LeafSlot: Codable, Hashable, Sendable {
    enum Purpose: String, Codable, Sendable {
        case receipts, jws
    }

    enum Environment: String, Codable, Sendable {
        /// The first leaf, valid for a century: for all but production.
        case sandbox
        /// Leaves that rotate. Without one, the first leaf signs.
        case production
    }

    var purpose: Purpose
    var environment: Environment

    var kind: ChainKind { purpose == .receipts ? .receipts : .jws }

    static let all = [Purpose.receipts, .jws].flatMap { purpose in
        [Environment.sandbox, .production].map { LeafSlot(purpose: purpose, environment: $0) }
    }
}
