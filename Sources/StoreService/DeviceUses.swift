// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Synchronization

/// The uses of apps that this process has recorded lately, so that a stream
/// causes a write once an hour and not at each heartbeat.
final class DeviceUses: Sendable {
    /// The number of remembered uses. Beyond it all are forgotten, and are
    /// recorded again.
    private static let capacity = 50_000
    /// The time after a failed write for which a use isn't recorded again. A
    /// heartbeat asks every 20 seconds, and each failure is a line in the log.
    static let retryPause: Duration = .seconds(5 * 60)

    /// The times at which uses were recorded, earlier ones for writes that
    /// have failed.
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

    /// Makes a use whose write has failed due again after ``retryPause``.
    func noteFailure(of use: DeviceApp, now: WallTime) {
        recorded.withLock { $0[use] = now + Self.retryPause - DeviceApp.recordingInterval }
    }
}

extension StoreService {
    /// Records that the signed-in account uses an app on a device, if that is
    /// due. A failure is logged, and tried again some minutes later.
    func recordUse(of bundleIdentifier: BundleIdentifier, on device: DeviceIdentifier, by account: AccountIdentifier?)
        async
    {
        guard let account else { return }
        let use = DeviceApp(account: account, bundleIdentifier: bundleIdentifier, device: device)
        guard uses.isDue(use, now: now) else { return }
        do {
            try await RecordingDeviceUse(context)(use)
        } catch {
            uses.noteFailure(of: use, now: now)
            _ = failure(of: error, at: "recording a device's use")
        }
    }
}
