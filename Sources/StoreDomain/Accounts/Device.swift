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

    /// The device on which an account buys through the remote control, as no
    /// device can register either.
    package static func control(of account: AccountIdentifier) -> DeviceIdentifier {
        DeviceIdentifier("remote control of \(account)")
    }

    /// The hash in the row of a device that can't call the store.
    static let noSecret = ""
}
