// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page on which customers delete their account.
struct DeletionPage: AccountPage {
    static let place = AccountPlace.deletion
    let service: StoreService

    var needsPassword: Bool { true }

    /// The texts of the page.
    private enum Words {
        static let notes = [
            "Deleting the account can't be undone. Your name, your address and your password are deleted, you are "
                + "signed out in all browsers and on all devices, and your subscriptions don't renew any more.",
            "You can't restore your purchases afterwards. The store keeps the records of sales and refunds that its "
                + "books need, without your name and your address.",
        ]
        static let delete = "Delete the account"
        static let deleted = ResultModel(
            .english, title: "Deleted", message: "The account is deleted. You can close this page.", isGood: true)
    }

    func contents(of account: Account, _ session: BrowserSession?) async throws -> SettingsContents {
        SettingsContents(
            paragraphs: Words.notes,
            forms: [
                SettingsForm(
                    buttons: [.init(decision: "delete", title: Words.delete)], passwordLabel: SettingsWords.password)
            ],
            json: EmptyAnswer())
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?
    ) async throws -> AccountPageOutcome {
        guard form.decision == "delete" else {
            throw StoreFailure(.invalid, "decision is delete or sign-out.")
        }
        try await service.close(account)
        return .ends(Words.deleted)
    }
}
