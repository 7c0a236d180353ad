// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Records that an account uses an app on a device, so that purchases that no
/// device asked for reach it.
package struct RecordingDeviceUse: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Records the use, unless the account was closed or signed out meanwhile.
    ///
    /// - Throws: `DatabaseError`.
    package func callAsFunction(_ use: DeviceApp) async throws {
        try await write(for: use.account) { db in
            guard try Device.signedInAccount(on: use.device, db)?.identifier == use.account else { return }
            try use.record(db)
        }
    }
}
