// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the devices of an account, and signs the account out on one.
package struct RemovingDevice: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The devices on which the account is signed in, the last used first.
    package func list(of account: Account) async throws -> [AccountDevice] {
        try await read { db in try Device.list(of: account.identifier, db) }
    }

    /// Signs the account out on a device. Its apps are notified by news, and
    /// ``HandingOverConsumables`` gives its unfinished consumables to another
    /// device of the account.
    ///
    /// - Throws: ``DomainError`` `notFound` when the account isn't signed in
    ///   on the device.
    package func callAsFunction(_ device: DeviceIdentifier, of account: Account) async throws {
        guard try await read({ db in try Self.isSignedIn(account, on: device, db) }) else {
            throw DomainError(.notFound, "The account isn't signed in on this device any more.")
        }
        try await write(for: account.identifier) { db in
            // Another account may have signed in meanwhile.
            guard try Self.isSignedIn(account, on: device, db) else { return }
            try Device.setAccount(nil, on: device, db)
        }
    }

    private static func isSignedIn(
        _ account: Account, on device: DeviceIdentifier, _ db: StoreTransaction
    ) throws -> Bool {
        try Device.signedInAccount(on: device, db)?.identifier == account.identifier
    }
}

/// A device on which an account is signed in.
package struct AccountDevice: Hashable, Sendable {
    package var identifier: DeviceIdentifier
    /// When the device was registered.
    package var registered: WallTime
    /// The last call, or the last use of an app; `nil` when it isn't known.
    package var seen: WallTime?
    /// The apps that the account uses on it, in the order of their names.
    package var apps: [BundleIdentifier]
}
