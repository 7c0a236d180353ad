// SPDX-License-Identifier: Apache-2.0

/// A device that apps run on, which registers under a secret of its own.
/// Reading and writing its row is in Device+Persistence.swift.
package enum Device {
    /// The device in whose name an account orders items on the store's pages.
    ///
    /// The identifier isn't hexadecimal, so that no device can register under
    /// it.
    static func pages(of account: AccountIdentifier) -> DeviceIdentifier {
        DeviceIdentifier("pages of \(account)")
    }

    /// The device in whose name the remote control buys and restores for an
    /// account; its identifier isn't hexadecimal either. No app runs on it, so
    /// that no app has asked for its purchases.
    static func remoteControl(of account: AccountIdentifier) -> DeviceIdentifier {
        DeviceIdentifier("remote control of \(account)")
    }

    /// Whether a device acts for one account only, and for another one than
    /// this: a customer who confirms there isn't signed in.
    static func actsForAnother(_ device: DeviceIdentifier, than account: AccountIdentifier?) -> Bool {
        guard let account, device.rawValue.contains(" of ") else { return false }
        return device != pages(of: account) && device != remoteControl(of: account)
    }

    /// The hash in the row of a device that can't call the store.
    static let noSecret = ""
}
