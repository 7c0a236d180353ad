// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Records that an account uses an app on a device, so that purchases that no
/// device asked for reach it.
package struct RecordingDeviceUse: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Records the use, unless the account was closed or signed out meanwhile,
    /// or another process has recorded it within
    /// ``DeviceApp/recordingInterval``. It then writes nothing: the devices
    /// that connect again after a restart of the store would all write
    /// at the same moment.
    ///
    /// The use counts as a call of the device. An app whose stream is open for
    /// years may send no other.
    ///
    /// - Throws: `DatabaseError`.
    package func callAsFunction(_ use: DeviceApp) async throws {
        let isDue = try await read { db in try !use.isRecorded(db) && Self.isSignedIn(use, db) }
        guard isDue else { return }
        try await write(for: use.account) { db in
            guard try Self.isSignedIn(use, db) else { return }
            if RegisteringDevice.isDue(try Device.registration(of: use.device, db)?.seen, now: db.now) {
                try Device.noteCall(of: use.device, db)
            }
            try use.record(db)
            try AppTransaction.record(use.bundleIdentifier, of: use.account, db)
        }
    }

    private static func isSignedIn(_ use: DeviceApp, _ db: StoreTransaction) throws -> Bool {
        try Device.signedInAccount(on: use.device, db)?.identifier == use.account
    }
}
