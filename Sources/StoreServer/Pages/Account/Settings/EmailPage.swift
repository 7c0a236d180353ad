// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page on which customers give their account another e-mail address.
struct EmailPage: AccountPage {
    static let place = AccountPlace.email
    let service: StoreService

    var needsPassword: Bool { true }

    func contents(
        of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> SettingsContents {
        let words = EmailWords.words(language)
        guard service.sendsMail else {
            return SettingsContents(paragraphs: [words.unavailable], json: EmptyAnswer())
        }
        return SettingsContents(
            paragraphs: [words.note],
            forms: [
                SettingsForm(
                    fields: [.init(name: "newEmail", title: words.new, type: "email", autocomplete: "email")],
                    buttons: [.init(decision: "change", title: words.send, isPrimary: true)])
            ],
            json: EmptyAnswer())
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> AccountPageOutcome {
        guard form.decision == "change" else {
            throw StoreFailure(.invalid, "decision is change or sign-out.")
        }
        try await service.orderAddressChange(to: form.newEmail ?? "", of: account)
        return .stays(EmailWords.words(language).sent)
    }
}
