// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page on which customers give their account another e-mail address.
struct EmailPage: AccountPage {
    static let title = "Change the e-mail address"
    static let address = "/account/email"
    let service: StoreService

    var needsPassword: Bool { true }

    /// The texts of the page.
    private enum Words {
        static let note = "The store sends a message with a link to the new address. Open the link to confirm it."
        static let new = "New e-mail address"
        static let send = "Send the message"
        // Says nothing about the address: it may have an account.
        static let sent = "If the address can be used, a message with a link is on its way to it."
    }

    func contents(of account: Account, _ session: BrowserSession?) async throws -> SettingsContents {
        SettingsContents(
            paragraphs: [Words.note],
            forms: [
                SettingsForm(
                    fields: [.init(name: "newEmail", title: Words.new, type: "email", autocomplete: "email")],
                    buttons: [.init(decision: "change", title: Words.send, isPrimary: true)],
                    passwordLabel: SettingsWords.password)
            ],
            json: EmptyAnswer())
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?
    ) async throws -> AccountPageOutcome {
        guard form.decision == "change" else {
            throw StoreFailure(.invalid, "decision is change or sign-out.")
        }
        try await service.orderAddressChange(to: form.newEmail ?? "", of: account)
        return .stays(Words.sent)
    }
}
