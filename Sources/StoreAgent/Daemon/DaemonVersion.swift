// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The versions that an app and the daemon must have in common: each opens
/// the journals of the other.
package struct DaemonVersion: Codable, Sendable, Hashable {
    /// The number of the messages on the daemon's socket.
    package var messages: Int
    /// The number of migrations of the journal.
    package var journal: Int
    /// The release, which only messages to people name.
    package var release: String

    /// The version of this program.
    package static let current = DaemonVersion(
        messages: 1, journal: JournalSchema.migrations.count, release: StoreVersion.current)

    /// Whether the other program can work on the same journals.
    package func isCompatible(with other: DaemonVersion) -> Bool {
        messages == other.messages && journal == other.journal
    }
}
