// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// What the agent is told once, at start.
package struct AgentConfiguration: Sendable {
    /// The store's address; without one nothing can be asked of a store, and
    /// all else works.
    package var storeURL: URL?
    /// Which app this is: a claim, not a proof.
    package var bundleIdentifier: String
    /// The version that receipts are asked for.
    package var applicationVersion: String
    /// The folder of everything that the device remembers.
    package var home: URL
    /// A PEM or DER file of the root certificates that receipts may come from.
    package var trust: URL?
    /// A PEM file of the roots that TLS connections may come from, instead of
    /// the system's.
    package var tlsRoots: URL?
    /// How the payment sheet is shown.
    package var sheet: SheetPresentation
    /// The customer's preferred languages, best first (`de_DE`).
    package var languages: [String]

    /// Makes a configuration in code.
    package init(
        storeURL: URL?, bundleIdentifier: String, applicationVersion: String = "1.0", home: URL, trust: URL? = nil,
        tlsRoots: URL? = nil, sheet: SheetPresentation = .browser(command: nil), languages: [String] = ["en_US"]
    ) {
        self.storeURL = storeURL
        self.bundleIdentifier = bundleIdentifier
        self.applicationVersion = applicationVersion
        self.home = home
        self.trust = trust
        self.tlsRoots = tlsRoots
        self.sheet = sheet
        self.languages = languages
    }
}

/// How the payment sheet is shown to the customer.
package enum SheetPresentation: Sendable, Hashable {
    /// In a browser: a command line, or `nil` for what the desktop opens pages with.
    case browser(command: String?)
    /// Printed to the standard error stream, for the customer to open.
    case terminal
    /// By a program that gets the address as its only argument.
    case script(path: String)
}
