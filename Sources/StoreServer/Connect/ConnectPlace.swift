// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The pages of Connect that the navigation joins, in its order. A page is one
/// row here, and a text in each language of ``ConsoleWords``.
enum ConnectPlace: String, CaseIterable, Sendable {
    case apps = "/connect/apps"
    case items = "/connect/items"
    case agreements = "/connect/agreements"
    case transactions = "/connect/transactions"
    case reviews = "/connect/reviews"
    case live = "/connect/live"
    case testers = "/connect/testers"
    case users = "/connect/users"
    case roles = "/connect/roles"
    case keys = "/connect/keys"
    case log = "/connect/log"
    case account = "/connect/account"

    /// The action that the page needs; `nil` for a page of all users.
    var action: TeamAction? {
        switch self {
        case .apps, .items: .seeApps
        case .agreements: .seeAgreements
        case .transactions: .seeTransactions
        case .reviews: .reviewProducts
        case .live, .testers: .seeTesters
        case .users: .seeUsers
        case .keys: .manageKeys
        case .log: .readLog
        case .roles, .account: nil
        }
    }

    var name: KeyPath<ConsoleWords, String> {
        switch self {
        case .apps: \.apps
        case .items: \.items
        case .agreements: \.agreements
        case .transactions: \.transactions
        case .reviews: \.reviews
        case .live: \.live
        case .testers: \.testers
        case .users: \.users
        case .roles: \.roles
        case .keys: \.keys
        case .log: \.log
        case .account: \.account
        }
    }

    /// Whether only a sandbox has the page.
    var isOfTheSandbox: Bool { self == .live || self == .testers }

    /// Whether a store of an environment has the page for a user.
    func isShown(to user: TeamUser, in environment: StoreEnvironment) -> Bool {
        (action.map(user.may) ?? true) && (!isOfTheSandbox || environment == .sandbox)
    }

    /// The links to the pages that a user may see.
    static func links(
        in language: PageLanguage, at place: ConnectPlace, for user: TeamUser, of environment: StoreEnvironment
    ) -> [PageLink] {
        allCases.filter { $0.isShown(to: user, in: environment) }.map { other in
            PageLink(
                address: other.rawValue, name: ConsoleWords.words(language)[keyPath: other.name],
                isHere: other == place)
        }
    }
}
