// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The part of an authority that can change, stored as `index.json` in its
/// directory.
///
/// The file is missing until the first change.
struct AuthorityIndex: Codable, Equatable, Sendable {
    /// A leaf that signs now.
    struct Leaf: Codable, Equatable, Sendable {
        var slot: LeafSlot
        var serialNumber: SerialNumber
    }

    /// A leaf that doesn't sign any more. Its receipts remain valid.
    struct Retired: Codable, Equatable, Sendable {
        var slot: LeafSlot
        var serialNumber: SerialNumber
    }

    /// The leaves made by rotation. Without an entry, the sandbox uses the
    /// first leaf, and production uses the sandbox's.
    var leaves: [Leaf] = []
    var retired: [Retired] = []
    var revoked: [Revocation] = []
    /// The number of changes that were made.
    var revision = 0
}

/// The purpose and the environment for which a leaf signs.
struct LeafSlot: Codable, Hashable, Sendable {
    enum Purpose: String, Codable, Sendable {
        case receipts, jws
    }

    enum Environment: String, Codable, Sendable {
        /// All environments but production. The leaf is valid as long as the
        /// intermediate certificate: in the default profile, a century.
        case sandbox
        /// Production, whose leaves rotate. Without one, the sandbox's leaf
        /// signs.
        case production
    }

    var purpose: Purpose
    var environment: Environment

    var kind: ChainKind { purpose == .receipts ? .receipts : .jws }

    static let all = [Purpose.receipts, .jws].flatMap { purpose in
        [Environment.sandbox, .production].map { LeafSlot(purpose: purpose, environment: $0) }
    }
}
