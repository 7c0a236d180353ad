// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts that the pages of the account's settings share.
enum SettingsWords {
    static let signIn = "Sign in"
    static let password = "Password"

    static func environment(_ name: String) -> String { "Environment: \(name)" }

    /// A moment of the time outside, such as the last use of a device.
    static func date(_ moment: WallTime) -> String {
        PageLanguage.english.date(StoreTime(milliseconds: moment.milliseconds))
    }
}
