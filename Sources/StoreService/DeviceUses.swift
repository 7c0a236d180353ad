// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Synchronization

/// The uses of apps that this process has recorded lately, so that a stream
/// causes a write once an hour and not at each heartbeat.
final class DeviceUses: Sendable {
    /// The number of remembered uses. Beyond it all are forgotten, and are
    /// recorded again.
    private static let capacity = 50_000

    private let recorded = Mutex<[DeviceApp: WallTime]>([:])

    /// Whether a use has to be recorded now. It counts as recorded from then
    /// on.
    func isDue(_ use: DeviceApp, now: WallTime) -> Bool {
        recorded.withLock { recorded in
            if let last = recorded[use], last <= now, now < last + DeviceApp.recordingInterval { return false }
            if recorded.count >= Self.capacity { recorded = [:] }
            recorded[use] = now
            return true
        }
    }

    /// Forgets a use whose write has failed.
    func forget(_ use: DeviceApp) {
        recorded.withLock { _ = $0.removeValue(forKey: use) }
    }
}

extension StoreService {
    /// Records that the signed-in account uses an app on a device, if that is
    /// due. A failure is logged and tried again at the next use.
    func recordUse(of bundleIdentifier: BundleIdentifier, on device: DeviceIdentifier, by account: AccountIdentifier?)
        async
    {
        guard let account else { return }
        let use = DeviceApp(account: account, bundleIdentifier: bundleIdentifier, device: device)
        guard uses.isDue(use, now: now) else { return }
        do {
            try await RecordingDeviceUse(context)(use)
        } catch {
            uses.forget(use)
            _ = failure(of: error, at: "recording a device's use")
        }
    }
}
