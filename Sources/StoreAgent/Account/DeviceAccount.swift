// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreAPI

/// The account that is signed in on a device. All apps of the device share
/// it, so signing out affects all of them.
package struct DeviceAccount: Sendable {
    private let folder: AgentFolder

    /// The account of the device with this home.
    package init(home: URL) {
        folder = AgentFolder(home: home, bundleIdentifier: "")
    }

    /// Signs the device out. Each sign-out needs a new request identifier.
    ///
    /// Running apps are notified. Their receipts stay where they are until
    /// another account signs in.
    ///
    /// - Throws: ``AgentError`` with the code `home` when no app has made
    ///   this home a device yet, `StoreFailure`, `ConnectionFailure`.
    package func signOut(over connection: any StoreConnection, request: String) async throws {
        guard let identity = try DeviceIdentity.load(folder.device, PosixFiles()) else {
            throw AgentError(
                .home, "\(folder.home.path) is no device's home yet: an app makes it one when it is first started.")
        }
        _ = try await connection.call(SignOutCall(requestIdentifier: request), as: identity.credentials)
    }
}
