// SPDX-License-Identifier: Apache-2.0

/// An app that sells in the store.
package struct App: Hashable, Sendable {
    package var bundleIdentifier: BundleIdentifier
    /// The name that the payment sheet shows.
    package var name: String

    package init(bundleIdentifier: BundleIdentifier, name: String) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name
    }

    /// The last part of the bundle identifier, for an app that was registered without a name.
    package static func name(of bundleIdentifier: BundleIdentifier) -> String {
        bundleIdentifier.rawValue.split(separator: ".").last.map(String.init) ?? bundleIdentifier.rawValue
    }
}
