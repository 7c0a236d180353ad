// SPDX-License-Identifier: Apache-2.0

/// An unfinished consumable whose holder is absent: the device has signed out
/// of the account, or the app wasn't used on it for ``DeviceApp/absence``. The
/// account has another device that isn't absent.
struct AbandonedConsumable: Hashable, Sendable {
    var transaction: TransactionIdentifier
    var account: AccountIdentifier
    var bundleIdentifier: BundleIdentifier
    /// The device whose queue has the transaction.
    var holder: DeviceIdentifier
}
