// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page on which customers change their password.
struct PasswordPage: AccountPage {
    static let place = AccountPlace.password
    let service: StoreService

    var needsPassword: Bool { true }

    func contents(
        of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> SettingsContents {
        let words = PasswordWords.words(language)
        return SettingsContents(
            paragraphs: [words.note],
            forms: [
                SettingsForm(
                    fields: [
                        .init(name: "newPassword", title: words.new, type: "password", autocomplete: "new-password")
                    ],
                    buttons: [.init(decision: "change", title: words.change, isPrimary: true)],
                    passwordLabel: words.old)
            ],
            json: EmptyAnswer())
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> AccountPageOutcome {
        let words = PasswordWords.words(language)
        guard form.decision == "change" else {
            throw StoreFailure(.invalid, "decision is change or sign-out.")
        }
        let changed = try await service.changePassword(of: account, to: form.newPassword ?? "")
        return .passwordChanged(changed, words.changed)
    }
}

/// The answer to a script of a page without values.
struct EmptyAnswer: Encodable, Sendable {}
