// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain

/// An address to which a store sends notifications: `[BUNDLE-ID=]URL`.
struct NotifyArgument {
    /// Empty for all apps.
    var bundleIdentifier: BundleIdentifier
    var url: String

    /// Reads the argument of `--notify`.
    ///
    /// - Throws: `ValidationError`.
    static func parse(_ text: String) throws -> NotifyArgument {
        // A URL may contain "=", and a bundle identifier no colon.
        let app = text.prefix { $0 != "=" && $0 != ":" }
        let hasApp = text.dropFirst(app.count).first == "="
        let argument = NotifyArgument(
            bundleIdentifier: BundleIdentifier(hasApp ? String(app) : ""),
            url: hasApp ? String(text.dropFirst(app.count + 1)) : text)
        do {
            _ = try NotificationAddress(argument.url, of: argument.bundleIdentifier, in: .sandbox)
        } catch {
            throw ValidationError("--notify takes [BUNDLE-ID=]URL. \((error as? DomainError)?.message ?? "")")
        }
        return argument
    }

    /// Adds the address to a store. One that it has stays.
    ///
    /// - Throws: The errors of `ChangingNotificationAddresses.add`.
    func add(to context: StoreContext) async throws {
        try await ChangingNotificationAddresses(context).add(url, of: bundleIdentifier)
    }
}
