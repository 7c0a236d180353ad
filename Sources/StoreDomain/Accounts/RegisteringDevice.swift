// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

/// Registers devices, and checks their secrets.
package struct RegisteringDevice: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Registers a device under the secret that it made. Repeating it changes nothing.
    ///
    /// - Throws: ``DomainError`` `deviceTaken` when the identifier is
    ///   registered under another secret.
    package func callAsFunction(_ device: DeviceIdentifier, secret: String) async throws {
        let hash = Data(secret.utf8).fingerprint
        let registered = try await write(for: device) { db in
            try Device.insert(device, secretHash: hash, db)
            return try Device.registration(of: device, db)?.secretHash
        }
        guard Self.equal(registered, hash) else {
            throw DomainError(
                .deviceTaken, "This device identifier is registered under another secret: make a new one.")
        }
    }

    /// Registers the device in whose name the remote control buys and restores
    /// for an account. No secret opens it.
    package func remoteControl(of account: AccountIdentifier) async throws -> DeviceIdentifier {
        let device = Device.remoteControl(of: account)
        try await write(for: device) { db in try Device.use(withoutSecret: device, db) }
        return device
    }

    /// Checks the secret of a device.
    ///
    /// - Throws: ``DomainError`` `unknownDevice` when the device isn't
    ///   registered under this secret.
    package func check(_ device: DeviceIdentifier, secret: String) async throws {
        let registered = try await read { db in
            try Device.registration(of: device, db)
        }
        guard let registered, Self.equal(registered.secretHash, Data(secret.utf8).fingerprint) else {
            throw DomainError(.unknownDevice, "The store doesn't know this device: register it first.")
        }
        if Self.isDue(registered.seen, now: now) {
            // The call doesn't fail when its time can't be written.
            try? await write(for: device) { db in try Device.noteCall(of: device, db) }
        }
    }

    /// How exactly the time of a device's last call is recorded. Recording
    /// each call would make every read of a device a write.
    private static let precision: Duration = .seconds(24 * 60 * 60)

    /// Whether the time of the last call has to be recorded. A time in the
    /// future was written by a wrong clock.
    static func isDue(_ seen: WallTime?, now: WallTime) -> Bool {
        guard let seen else { return true }
        return seen + precision <= now || now + precision <= seen
    }

    /// Signs the device out, once per request identifier.
    ///
    /// - Throws: ``DomainError`` `invalid` for a malformed identifier,
    ///   `requestMismatch` for one that was used for another request.
    package func signOut(_ device: DeviceIdentifier, request identifier: RequestIdentifier) async throws {
        var request = DeviceRequest(device: device, identifier: identifier, kind: .signOut, bundleIdentifier: "")
        request.status = .done
        try await write(for: device) { [request] db in
            if let known = try DeviceRequest.find(identifier, of: device, db) {
                guard request.asksForTheSame(as: known) else { throw request.mismatch }
                return
            }
            try request.check()
            try request.insert(db)
            try Device.setAccount(nil, on: device, db)
        }
    }

    private static func equal(_ left: String?, _ right: String) -> Bool {
        Data((left ?? "").utf8).equalsInConstantTime(Data(right.utf8))
    }
}
