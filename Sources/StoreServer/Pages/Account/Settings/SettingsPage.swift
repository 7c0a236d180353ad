// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page of a customer's name, language, and the rule of the password.
struct SettingsPage: AccountPage {
    static let place = AccountPlace.settings
    let service: StoreService

    func contents(
        of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> SettingsContents {
        let words = SettingsWords.words(language)
        return SettingsContents(
            forms: [
                SettingsForm(
                    legend: words.legend,
                    choices: PasswordRule.all.map {
                        .init(
                            name: "rule", value: $0.rawValue, title: words.rule($0),
                            isChecked: $0 == account.passwordRule)
                    },
                    buttons: [.init(decision: "save", title: words.save, isPrimary: true)])
            ],
            json: Answer(
                email: account.email, name: account.name, language: account.language,
                storefront: account.storefront.countryCode, rule: account.passwordRule.rawValue))
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> AccountPageOutcome {
        let words = SettingsWords.words(language)
        switch form.decision {
        case "show": return .stays(nil)
        case "save":
            try await service.change(
                account: account.email, .init(passwordRule: PasswordRule(rawValue: form.rule ?? "")))
            return .stays(words.saved)
        default:
            throw StoreFailure(.invalid, "decision is show, save or sign-out.")
        }
    }

    /// The settings for a script.
    private struct Answer: Encodable {
        var email: String
        var name: String?
        var language: String
        var storefront: String
        var rule: String
    }
}
