// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An app as the daemon knows it: all that its agent needs while the app
/// doesn't run.
package struct DaemonApp: Codable, Sendable, Hashable {
    /// The app's bundle identifier, which is the name of its folder.
    package var bundleIdentifier: String
    package var applicationVersion: String
    /// The store's address; `nil` for an app without a store.
    package var storeURL: String?
    package var trust: String?
    package var tlsRoots: String?
    /// The way in which the daemon shows a sheet while no process of the app
    /// runs: a word of `STOREKIT_SHEET`.
    package var sheet: String
    package var browser: String?
    package var languages: [String]
    package var caches: String

    /// The app of an agent's configuration. Its paths are absolute, because
    /// the daemon has another working directory.
    package init(_ configuration: AgentConfiguration) {
        bundleIdentifier = configuration.bundleIdentifier
        applicationVersion = configuration.applicationVersion
        storeURL = configuration.storeURL?.absoluteString
        trust = configuration.trust?.absoluteURL.path
        tlsRoots = configuration.tlsRoots?.absoluteURL.path
        switch configuration.sheet {
        case .browser(let command):
            sheet = "browser"
            browser = command
        case .terminal: sheet = "terminal"
        case .script(let path): sheet = "script:" + URL(fileURLWithPath: path).absoluteURL.path
        }
        languages = configuration.languages
        caches = configuration.caches.absoluteURL.path
    }

    /// The configuration of the app's agent on the device with a home.
    ///
    /// - Throws: ``AgentError`` with the code `configuration` for a value
    ///   that no app can have.
    func configuration(home: URL) throws -> AgentConfiguration {
        let variables = AgentEnvironment(
            ["STOREKIT_STORE_URL": storeURL ?? "", "STOREKIT_SHEET": sheet, "BROWSER": browser ?? ""])
        return AgentConfiguration(
            storeURL: try variables.storeURL(),
            bundleIdentifier: try AgentEnvironment.checkedIdentifier(bundleIdentifier),
            applicationVersion: applicationVersion, home: home, trust: trust.map { URL(fileURLWithPath: $0) },
            tlsRoots: tlsRoots.map { URL(fileURLWithPath: $0) }, sheet: try variables.sheet(), languages: languages,
            caches: URL(fileURLWithPath: caches, isDirectory: true))
    }
}
