// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// A program that takes the notifications of an app from the sandbox instead
/// of receiving them at an address, such as `storectl notifications listen`.
/// Its row is an address that the store doesn't call.
package struct NotificationListener: Hashable, Sendable {
    /// 16 bytes in lower-case hexadecimal, which the program has drawn.
    package var identifier: String
    /// The app; empty for all apps.
    package var bundleIdentifier: BundleIdentifier
    package var version: NotificationVersion

    /// How long the store keeps notifications for a listener that doesn't call.
    static let lifetime = Duration.seconds(600)
    /// The most listeners of a store.
    package static let most = 20
    /// The beginning of the address in a listener's rows.
    static let prefix = "listener:"

    /// - Throws: ``DomainError`` `invalid` for an identifier of another form.
    package init(
        _ identifier: String, of app: BundleIdentifier, version: NotificationVersion = .two
    ) throws {
        guard identifier.isHexadecimal(bytes: 16) else {
            throw DomainError(.invalid, "The identifier of a listener is 16 bytes in lower-case hexadecimal.")
        }
        guard app.rawValue.utf8.count <= 255 else {
            throw DomainError(.invalid, "A bundle identifier has at most 255 bytes.")
        }
        self.identifier = identifier
        bundleIdentifier = app
        self.version = version
    }

    /// The address in its rows.
    var url: String { Self.prefix + identifier }

    /// The result of a notification that a listener has taken: that of its
    /// forwarding, or success.
    package struct Taken: Hashable, Sendable {
        package var notification: String
        package var result: NotificationResult

        package init(notification: String, result: NotificationResult) {
            self.notification = notification
            self.result = result
        }
    }
}
