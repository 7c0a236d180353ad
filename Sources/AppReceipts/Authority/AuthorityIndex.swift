// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The part of an authority that can change. In an authority's directory it
/// is the file `index.json`, which is missing until the first change.
package struct AuthorityIndex: Codable, Equatable, Sendable {
    /// A leaf with the purpose and the environment for which it signs or
    /// signed.
    package struct Leaf: Codable, Equatable, Sendable {
        package var slot: LeafSlot
        package var serialNumber: SerialNumber

        package init(slot: LeafSlot, serialNumber: SerialNumber) {
            self.slot = slot
            self.serialNumber = serialNumber
        }
    }

    /// The leaves made by rotation that sign now. Without an entry, the
    /// sandbox uses the first leaf, and production uses the sandbox's.
    package var leaves: [Leaf] = []
    /// The leaves that don't sign any more. Their receipts remain valid.
    package var retired: [Leaf] = []
    /// The certificates that must not be trusted any more.
    package var revoked: [Revocation] = []
    /// The number of changes that were made.
    package var revision = 0

    package init() {}
}

/// The purpose and the environment for which a leaf signs.
package struct LeafSlot: Codable, Hashable, Sendable {
    /// The kind of data that a leaf signs.
    package enum Purpose: String, Codable, Sendable {
        case receipts, jws
    }

    /// The purchases for whose data a leaf signs.
    package enum Environment: String, Codable, Sendable {
        /// All environments but production. The leaf is valid as long as the
        /// intermediate certificate: in the default profile, a century.
        case sandbox
        /// Production, whose leaves rotate. Without one, the sandbox's leaf
        /// signs.
        case production
    }

    package var purpose: Purpose
    package var environment: Environment

    package init(purpose: Purpose, environment: Environment) {
        self.purpose = purpose
        self.environment = environment
    }

    var kind: ChainKind { purpose == .receipts ? .receipts : .jws }

    static let all = [Purpose.receipts, .jws].flatMap { purpose in
        [Environment.sandbox, .production].map { LeafSlot(purpose: purpose, environment: $0) }
    }
}
