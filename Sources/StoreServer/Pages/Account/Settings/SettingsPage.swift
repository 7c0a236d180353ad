// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page of a customer's name, language, and the rule of the password.
struct SettingsPage: AccountPage {
    static let place = AccountPlace.settings
    let service: StoreService

    /// The texts of the page.
    private enum Words {
        static let legend = "The payment sheet asks for the password"
        static let save = "Save"
        static let saved = "The setting is saved."

        static func rule(_ rule: PasswordRule) -> String {
            switch rule {
            case .always: "always"
            case .notForFree: "15 minutes after it was typed, and never for free items"
            default: "15 minutes after it was typed"
            }
        }
    }

    func contents(of account: Account, _ session: BrowserSession?) async throws -> SettingsContents {
        SettingsContents(
            forms: [
                SettingsForm(
                    legend: Words.legend,
                    choices: PasswordRule.all.map {
                        .init(
                            name: "rule", value: $0.rawValue, title: Words.rule($0),
                            isChecked: $0 == account.passwordRule)
                    },
                    buttons: [.init(decision: "save", title: Words.save, isPrimary: true)])
            ],
            json: Answer(
                email: account.email, name: account.name, language: account.language,
                storefront: account.storefront.countryCode, rule: account.passwordRule.rawValue))
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?
    ) async throws -> AccountPageOutcome {
        switch form.decision {
        case "show": return .stays(nil)
        case "save":
            try await service.change(
                account: account.email, .init(passwordRule: PasswordRule(rawValue: form.rule ?? "")))
            return .stays(Words.saved)
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
