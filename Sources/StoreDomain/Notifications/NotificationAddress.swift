// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An address to which the store sends the notifications of an app, or of all
/// apps.
package struct NotificationAddress: Hashable, Sendable {
    /// The app; empty for all apps.
    package var bundleIdentifier: BundleIdentifier
    package var url: String
    package var version = NotificationVersion.two
    var reach = NotificationReach.environment

    /// The longest address, in bytes.
    package static let longest = 1024
    /// The most addresses of an app, or for all apps, in an environment.
    package static let most = 20

    /// Checks an address.
    ///
    /// - Throws: ``DomainError`` `invalid` for an address to which a store of
    ///   the environment sends nothing: without https, unless it is of this
    ///   computer and the store is a sandbox, or with a user name, a password or
    ///   a fragment.
    package init(_ url: String, of app: BundleIdentifier, in environment: StoreEnvironment) throws {
        guard url.utf8.count <= Self.longest, url.utf8.allSatisfy({ (33..<127).contains($0) }),
            let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            let host = parts.host, !host.isEmpty, parts.port.map((1...65_535).contains) ?? true
        else {
            throw DomainError(
                .invalid,
                "A notification address is a URL of at most \(Self.longest) bytes, such as https://example.com/notify.")
        }
        guard parts.user == nil, parts.password == nil, parts.fragment == nil else {
            throw DomainError(.invalid, "A notification address has no user name, password or fragment.")
        }
        guard scheme == "https" || (scheme == "http" && environment == .sandbox && Self.isLoopback(host)) else {
            throw DomainError(
                .invalid,
                """
                A notification address begins with https://. In the sandbox one of this computer may begin with \
                http://localhost, http://127.0.0.1 or http://[::1].
                """)
        }
        guard app.rawValue.utf8.count <= 255 else {
            throw DomainError(.invalid, "A bundle identifier has at most 255 bytes.")
        }
        self.url = url
        bundleIdentifier = app
    }

    /// An address that was checked before.
    init(saved url: String, of app: BundleIdentifier, _ version: NotificationVersion = .two) {
        self.url = url
        self.version = version
        bundleIdentifier = app
    }

    /// The error for an address beyond the limit.
    static let tooMany = DomainError(
        .invalid, "An app has at most \(most) notification addresses, and so have all apps together: remove one first.")

    /// Whether a host is this computer: `localhost`, `::1`, or in 127.0.0.0/8.
    static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        if name == "localhost" || name == "::1" { return true }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
    }
}
