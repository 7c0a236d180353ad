// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The agent's configuration, which doesn't change after the start.
package struct AgentConfiguration: Sendable {
    /// The store's address. Without it all requests to the store fail, and
    /// everything else works.
    package var storeURL: URL?
    /// The app's bundle identifier. It is a claim that the store can't
    /// verify.
    package var bundleIdentifier: String
    /// The app version for which receipts are requested.
    package var applicationVersion: String
    /// The folder of the device's stored data.
    package var home: URL
    /// A PEM or DER file of the root certificates that are trusted for
    /// receipts.
    package var trust: URL?
    /// A PEM file of the root certificates that are trusted for TLS, instead
    /// of the system's.
    package var tlsRoots: URL?
    /// How the payment sheet is shown.
    package var sheet: SheetPresentation
    /// The customer's preferred languages, best first (`de_DE`).
    package var languages: [String]
    /// The folder of caches, in which the downloaded content of each app has
    /// a folder.
    package var caches: URL

    /// Makes a configuration in code. Without a folder of caches, it is in the
    /// home.
    package init(
        storeURL: URL?, bundleIdentifier: String, applicationVersion: String = "1.0", home: URL, trust: URL? = nil,
        tlsRoots: URL? = nil, sheet: SheetPresentation = .browser(command: nil), languages: [String] = ["en_US"],
        caches: URL? = nil
    ) {
        self.storeURL = storeURL
        self.bundleIdentifier = bundleIdentifier
        self.applicationVersion = applicationVersion
        self.home = home
        self.trust = trust
        self.tlsRoots = tlsRoots
        self.sheet = sheet
        self.languages = languages
        self.caches = caches ?? home.appendingPathComponent("caches", isDirectory: true)
    }
}

/// How the payment sheet is shown to the customer.
package enum SheetPresentation: Sendable, Hashable {
    /// In a browser, by a command line; `nil` uses the desktop's default
    /// browser.
    case browser(command: String?)
    /// Printed to the standard error stream, for the customer to open.
    case terminal
    /// By a program that gets the address as its only argument.
    case script(path: String)
}
