// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The secret from which the codes of a batch are derived. It is kept for as
/// long as the codes can be downloaded; afterwards the store has their hashes
/// only.
struct CodeSeed: Hashable, Sendable {
    var batch: String
    var seed: Data
    var created: WallTime

    /// How long codes can be downloaded.
    static let lifetime = Duration.seconds(86_400)
}
