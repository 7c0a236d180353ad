// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page on which customers delete their account.
struct DeletionPage: AccountPage {
    static let place = AccountPlace.deletion
    let service: StoreService

    var needsPassword: Bool { true }

    func contents(
        of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> SettingsContents {
        let words = DeletionWords.words(language)
        return SettingsContents(
            paragraphs: [words.consequences, words.books],
            forms: [SettingsForm(buttons: [.init(decision: "delete", title: words.delete)])], json: EmptyAnswer())
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> AccountPageOutcome {
        guard form.decision == "delete" else {
            throw StoreFailure(.invalid, "decision is delete or sign-out.")
        }
        try await service.close(account)
        let words = DeletionWords.words(language)
        return .ends(ResultModel(language, title: words.title, message: words.deleted, isGood: true))
    }
}
