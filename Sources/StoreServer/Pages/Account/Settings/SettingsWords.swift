// SPDX-License-Identifier: Apache-2.0

/// The texts that the pages of the account's settings share.
enum SettingsWords {
    static let signIn = "Sign in"
    static let password = "Password"
    static let pages = "Your account"

    static func environment(_ name: String) -> String { "Environment: \(name)" }

    /// The pages of an account, in the order of their list.
    static let links = [
        (address: "/account/subscriptions", title: "Manage subscriptions"),
        (address: "/account/settings", title: SettingsPage.title),
        (address: "/account/devices", title: DevicesPage.title),
        (address: "/account/sessions", title: SessionsPage.title),
        (address: "/account/password", title: PasswordPage.title),
        (address: "/account/delete", title: DeletionPage.title),
    ]
}
