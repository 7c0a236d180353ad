// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page on which customers change their password.
struct PasswordPage: AccountPage {
    static let place = AccountPlace.password
    let service: StoreService

    var needsPassword: Bool { true }

    /// The texts of the page.
    private enum Words {
        static let note = "A new password signs out all browsers. Your devices stay signed in."
        static let old = "Present password"
        static let new = "New password"
        static let change = "Change the password"
        static let changed = "The password is changed. All other browsers are signed out."
    }

    func contents(of account: Account, _ session: BrowserSession?) async throws -> SettingsContents {
        SettingsContents(
            paragraphs: [Words.note],
            forms: [
                SettingsForm(
                    fields: [
                        .init(name: "newPassword", title: Words.new, type: "password", autocomplete: "new-password")
                    ],
                    buttons: [.init(decision: "change", title: Words.change, isPrimary: true)],
                    passwordLabel: Words.old)
            ],
            json: EmptyAnswer())
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?
    ) async throws -> AccountPageOutcome {
        guard form.decision == "change" else {
            throw StoreFailure(.invalid, "decision is change or sign-out.")
        }
        let changed = try await service.changePassword(of: account, to: form.newPassword ?? "")
        return .passwordChanged(changed, Words.changed)
    }
}

/// The answer to a script of a page without values.
struct EmptyAnswer: Encodable, Sendable {}
