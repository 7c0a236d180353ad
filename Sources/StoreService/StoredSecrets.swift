// SPDX-License-Identifier: Apache-2.0

package import StoreDomain
import Synchronization

/// The secrets in the rows of a store's database, as this process has read
/// them last. Housekeeping reads them again, so that a shared secret that
/// another node has set is checked by all nodes after some seconds.
package final class StoredSecrets: Sendable {
    private let sharing: SharingSecrets
    private let known: Mutex<SharingSecrets.Known>

    package init(_ sharing: SharingSecrets, _ known: SharingSecrets.Known) {
        self.sharing = sharing
        self.known = Mutex(known)
    }

    /// The protection of the rows.
    package var protection: AuthorityProtection { sharing.protection }

    /// The bearer token of the remote control, which never changes.
    package var controlToken: String { known.withLock { $0.secrets.controlToken } }

    /// The secrets as this process has read them last.
    package var secrets: StoreSecrets { known.withLock { $0.secrets } }

    /// The shared secret of an app; `nil` if it has none.
    package func sharedSecret(of app: BundleIdentifier) -> String? {
        known.withLock { $0.secrets.sharedSecrets[app] }
    }

    /// Reads the secrets again if the revision of the authority has changed.
    ///
    /// - Throws: The errors of `SharingSecrets`.
    package func refresh() async throws {
        guard let new = try await sharing.read(ifNot: known.withLock { $0.revision }) else { return }
        known.withLock { if $0.revision < new.revision { $0 = new } }
    }
}
