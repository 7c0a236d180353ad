// SPDX-License-Identifier: Apache-2.0

/// An app that sells in the store.
package struct App: Hashable, Sendable {
    package var bundleIdentifier: BundleIdentifier
    /// The name that the payment sheet shows.
    package var name: String
    /// The days for which an unpaid renewal keeps its subscription: 0, 3, 16
    /// or 28. Importing a file changes it, saving the app doesn't.
    package var gracePeriodDays = 0

    /// The grace period of an app whose file only says that it has one: the
    /// one that Xcode and App Store Connect offer for all its subscriptions.
    static let usualGracePeriodDays = 16

    package init(bundleIdentifier: BundleIdentifier, name: String) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name
    }

    /// The last part of the bundle identifier, for an app that was registered without a name.
    package static func name(of bundleIdentifier: BundleIdentifier) -> String {
        bundleIdentifier.rawValue.split(separator: ".").last.map(String.init) ?? bundleIdentifier.rawValue
    }
}
