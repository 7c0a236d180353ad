// SPDX-License-Identifier: Apache-2.0

package import StoreAPI
import StoreDomain
import Synchronization

/// A device that may send a message: its credentials were checked, or it
/// registers.
package struct AdmittedDevice: Sendable {
    package let credentials: DeviceCredentials

    fileprivate init(credentials: DeviceCredentials) {
        self.credentials = credentials
    }
}

extension StoreService {
    /// Checks the sender of a message, before its body is read.
    ///
    /// - Throws: `StoreFailure`: `credentialsMissing`, `unknownDevice`,
    ///   `unavailable`, also after a newer version has changed the schema.
    package func admit(_ credentials: DeviceCredentials, to path: StorePath) async throws -> AdmittedDevice {
        try requireCurrentSchema()
        guard credentials.isWellFormed else {
            throw StoreFailure(
                .credentialsMissing,
                "Credentials are 16 bytes of identifier and 32 bytes of secret, in lower-case hexadecimal.")
        }
        // A device that registers isn't in the database yet.
        guard path != .register else { return AdmittedDevice(credentials: credentials) }
        do {
            try await RegisteringDevice(context)
                .check(DeviceIdentifier(credentials.identifier), secret: credentials.secret)
        } catch {
            throw failure(of: error, at: path.rawValue)
        }
        return AdmittedDevice(credentials: credentials)
    }

    /// Checks that an app is registered.
    ///
    /// - Throws: `StoreFailure` `notFound`: rows for every name that a client
    ///   invents would fill the database.
    func requireApp(_ bundleIdentifier: BundleIdentifier) async throws {
        guard !knownApps.contains(bundleIdentifier) else { return }
        guard try await FindingApp(context)(bundleIdentifier) != nil else {
            throw StoreFailure(
                .notFound,
                """
                This store has no app \(bundleIdentifier). Register it: storectl serve --configuration FILE \
                --bundle-id \(bundleIdentifier).
                """)
        }
        knownApps.insert(bundleIdentifier)
    }
}

/// A cache of the bundle identifiers that were found registered; an app is
/// never removed.
final class KnownApps: Sendable {
    private let names = Mutex<Set<BundleIdentifier>>([])

    func contains(_ bundleIdentifier: BundleIdentifier) -> Bool {
        names.withLock { $0.contains(bundleIdentifier) }
    }

    func insert(_ bundleIdentifier: BundleIdentifier) {
        names.withLock { _ = $0.insert(bundleIdentifier) }
    }
}
