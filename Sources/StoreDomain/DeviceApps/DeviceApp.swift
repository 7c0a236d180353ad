// SPDX-License-Identifier: Apache-2.0

/// An app that an account uses on a device.
package struct DeviceApp: Hashable, Sendable {
    package var account: AccountIdentifier
    package var bundleIdentifier: BundleIdentifier
    package var device: DeviceIdentifier

    package init(account: AccountIdentifier, bundleIdentifier: BundleIdentifier, device: DeviceIdentifier) {
        self.account = account
        self.bundleIdentifier = bundleIdentifier
        self.device = device
    }

    /// The time after which an unfinished consumable or non-renewing
    /// subscription goes to another device.
    static let absence: Duration = .seconds(24 * 60 * 60)
    /// The time after which a use is recorded again.
    package static let recordingInterval: Duration = .seconds(60 * 60)
}

/// The devices that receive a transaction of an account.
enum DeliveryRule {
    /// The devices that receive a purchase: the device that asked for it, or
    /// every device that uses the app for the account when the app didn't ask.
    /// A consumable and a non-renewing subscription have one holder, because
    /// two devices would deliver them twice: the device that asked, or the last
    /// used one when the remote control did, until ``HandingOverConsumables``
    /// gives them to another one. Every device receives a subscription's
    /// transactions.
    ///
    /// - Parameters:
    ///   - kind: The kind of the product.
    ///   - asking: The device whose request became the purchase.
    ///   - isRemote: Whether the remote control has asked.
    ///   - wasAsked: Whether the app expects the purchase.
    ///   - users: The devices that use the app, the last used first.
    /// - Returns: The devices, the asking one first.
    static func devices(
        for kind: Product.Kind, asking: DeviceIdentifier, isRemote: Bool, wasAsked: Bool, users: [DeviceIdentifier]
    ) -> [DeviceIdentifier] {
        if kind.hasOneHolder { return [isRemote ? users.first ?? asking : asking] }
        guard kind == .autoRenewable || !wasAsked else { return [asking] }
        return [asking] + users.filter { $0 != asking }
    }
}
