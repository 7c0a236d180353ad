// SPDX-License-Identifier: Apache-2.0

/// An unfinished consumable or non-renewing subscription whose holder is absent: the device has signed out
/// of the account, or the app wasn't used on it for ``DeviceApp/absence``. The
/// account has another device that isn't absent.
struct AbandonedConsumable: Hashable, Sendable {
    var transaction: TransactionIdentifier
    var account: AccountIdentifier
    var bundleIdentifier: BundleIdentifier
    /// The device whose queue has the transaction.
    var holder: DeviceIdentifier

    /// The place of an unfinished transaction among those of all devices.
    struct Position: Hashable, Sendable {
        var device: DeviceIdentifier = ""
        var transaction: TransactionIdentifier = ""
    }

    /// The abandoned consumables of a page of unfinished transactions.
    struct Page: Hashable, Sendable {
        var abandoned: [AbandonedConsumable]
        /// The page's last transaction; `nil` on the last page.
        var end: Position?
    }
}
