// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page of the payment methods of an account. No page of the store asks for
/// the number of a card: the sandbox has test methods, and a provider of
/// production a page of its own.
struct PaymentPage: AccountPage {
    static let place = AccountPlace.payment
    let service: StoreService

    func contents(
        of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> SettingsContents {
        let words = PaymentWords.words(language)
        let listing = try await service.paymentMethods(of: account)
        let isSandbox = service.environment == .sandbox
        let none = listing.preferred == .standard && isSandbox ? words.standard : words.none
        return SettingsContents(
            paragraphs: (listing.methods.isEmpty ? [none] : []) + (isSandbox ? [words.sandbox] : []),
            entries: listing.methods.map { entry($0, listing.preferred, words, language) },
            forms: isSandbox ? [addition(words)] : [],
            json: Answer(
                methods: listing.methods.map { method in
                    .init(
                        method: method.identifier.rawValue, kind: method.kind, label: method.label,
                        digits: method.digits, isPreferred: listing.preferred == .method(method.identifier),
                        expires: method.expires?.milliseconds)
                }))
    }

    private func entry(
        _ method: PaymentMethod, _ preferred: PaymentMethod.Preferred, _ words: PaymentWords, _ language: PageLanguage
    ) -> SettingsEntry {
        let isPreferred = preferred == .method(method.identifier)
        let expires = method.expires.map { words.fill(\.expires, ["date": language.date($0)]) }
        let prefer = SettingsForm.Button(decision: "prefer", title: words.prefer)
        return SettingsEntry(
            title: method.title, details: [isPreferred ? words.preferred : nil, expires].compactMap(\.self),
            forms: [
                SettingsForm(
                    name: "method", value: method.identifier.rawValue,
                    buttons: (isPreferred ? [] : [prefer]) + [.init(decision: "remove", title: words.remove)])
            ])
    }

    private func addition(_ words: PaymentWords) -> SettingsForm {
        SettingsForm(
            legend: words.legend,
            choices: SandboxMethod.all.map { card in
                .init(
                    name: "card", value: card.rawValue,
                    title: "\(words.card(card)) (\(card.digits))", isChecked: card == .accepted)
            },
            buttons: [.init(decision: "add", title: words.add, isPrimary: true)])
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> AccountPageOutcome {
        let words = PaymentWords.words(language)
        let method = PaymentMethodIdentifier(form.method ?? "")
        switch form.decision {
        case "show": return .stays(nil)
        case "add":
            try await service.add(try SandboxMethod.named(form.card ?? ""), to: account)
            return .stays(words.added)
        case "prefer":
            try await service.prefer(method, of: account)
            return .stays(words.nowPreferred)
        case "remove":
            try await service.remove(method, of: account)
            return .stays(words.removed)
        default:
            throw StoreFailure(.invalid, "decision is show, add, prefer, remove or sign-out.")
        }
    }

    /// The methods for a script; times are in milliseconds since 1970.
    private struct Answer: Encodable {
        struct Listed: Encodable {
            var method: String
            var kind: String
            var label: String
            var digits: String
            var isPreferred: Bool
            var expires: Int64?
        }

        var methods: [Listed]
    }
}

extension PaymentMethod {
    /// The method as a customer knows it, such as `Sandbox •••• 0001`.
    var title: String { digits.isEmpty ? label : "\(label) •••• \(digits)" }
}
