// SPDX-License-Identifier: Apache-2.0

/// The devices that had an unfinished consumable or non-renewing subscription
/// before its present holder, the last one at the end.
///
/// An app on one of them may have delivered the content already: its finish can
/// arrive after the transaction was handed over, even when the device has
/// signed out meanwhile.
struct FormerHolders: Hashable, Sendable {
    /// The number of devices that are kept. A transaction is handed over once
    /// a day at most while its holders stay signed in.
    static let limit = 64

    private(set) var devices: [DeviceIdentifier]

    /// - Parameter devices: The devices, the last one at the end.
    init(_ devices: [DeviceIdentifier] = []) {
        self.devices = devices
    }

    /// Adds a device that loses the transaction. Beyond the limit the oldest
    /// one is forgotten.
    mutating func append(_ device: DeviceIdentifier) {
        devices.removeAll { $0 == device }
        devices.append(device)
        devices.removeFirst(max(devices.count - Self.limit, 0))
    }
}
