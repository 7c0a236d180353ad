// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// One of the pages on which customers see and change their account.
/// ``SettingsRoutes`` checks the password or the session before it calls a
/// function of a page.
protocol AccountPage: Sendable {
    /// The page's place in the navigation, with its address and its title.
    static var place: AccountPlace { get }
    /// Whether each answer needs the password, also in a browser in which it
    /// was typed lately.
    var needsPassword: Bool { get }

    /// The page for an account; `session` is that of the browser.
    func contents(of account: Account, _ session: BrowserSession?) async throws -> SettingsContents
    /// Carries out an answer.
    ///
    /// - Throws: `DomainError`, or `StoreFailure` `invalid` for a decision that
    ///   the page doesn't have.
    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?
    ) async throws -> AccountPageOutcome
}

extension AccountPage {
    var needsPassword: Bool { false }
}

/// The page after an answer that was carried out.
enum AccountPageOutcome: Sendable {
    /// The page again, with a sentence; `nil` when only the page was asked for.
    case stays(String?)
    /// The page's sign-in, because the session of this browser has ended.
    case signedOut(String)
    /// The page again. The sessions of the account have ended, and this
    /// browser gets a new one.
    case passwordChanged(Account, String)
    /// The last page of an account.
    case ends(ResultModel)
}
