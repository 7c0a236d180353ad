// SPDX-License-Identifier: Apache-2.0

/// When the sheet asks for the password in a browser in which the customer has
/// typed it before.
package struct PasswordRule: RawRepresentable, Hashable, Sendable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// For every answer.
    package static let always = PasswordRule(rawValue: "always")
    /// When it was typed longer than 15 minutes ago.
    package static let afterAWhile = PasswordRule(rawValue: "after-15-minutes")
    /// When it was typed longer than 15 minutes ago, but not for a product
    /// that costs nothing.
    package static let notForFree = PasswordRule(rawValue: "never-for-free")

    /// All rules, the strictest first.
    package static let all = [always, afterAWhile, notForFree]

    /// Whether a browser's session is enough for an answer on a sheet.
    /// `isFree` says that the answer takes a product that costs nothing, now
    /// and later.
    package func accepts(_ session: BrowserSession, forFree isFree: Bool) -> Bool {
        switch self {
        case .always: false
        case .notForFree: session.isFresh || isFree
        default: session.isFresh
        }
    }
}
