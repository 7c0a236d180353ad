// SPDX-License-Identifier: Apache-2.0

/// A language of the messages to customers.
enum MailLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"

    /// The language of an account, else the first of its storefront's that is
    /// among these, else English.
    init(of account: Account) {
        self =
            LanguagePreference([account.language], in: account.storefront).locales.lazy
            .compactMap { locale in locale.split(separator: "_").first.flatMap { Self(rawValue: String($0)) } }
            .first ?? .english
    }

    /// The language of prices and of the terms of subscriptions.
    var terms: TermsLanguage {
        switch self {
        case .english: .english
        case .german: .german
        case .french: .french
        }
    }

    /// The texts in the language.
    var words: any MailWords {
        switch self {
        case .english: EnglishMailWords()
        case .german: GermanMailWords()
        case .french: FrenchMailWords()
        }
    }
}

/// The subject and the body of a message.
struct MailText: Hashable, Sendable {
    /// Without a value from outside.
    var subject: String
    var body: String
}

/// The texts of all messages in a language. Customers are addressed formally.
protocol MailWords: Sendable {
    func password(link: String) -> MailText
    func address(link: String) -> MailText
    func addressChanged(store: String) -> MailText
    /// The message to a person whom a team of Connect has invited.
    func teamInvitation(link: String) -> MailText
    /// The message to a user of Connect who has forgotten the password.
    func teamRecovery(link: String) -> MailText
    func childAsks(_ asked: ChildMessage.Asked) -> MailText
    /// The price of a product that is paid once, and a product without one.
    func costs(_ price: String) -> String
    var free: String { get }
}
