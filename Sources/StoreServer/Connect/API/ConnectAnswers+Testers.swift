// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension ConnectAnswers {
    struct ListedTester: Encodable {
        var tester: String
        var email: String
        var name: String?
        var storefront: String
        var switches: [String: Bool]
    }

    struct Testers: Encodable {
        var testers: [ListedTester]
        var next: String?
    }

    struct Member: Encodable {
        var tester: String
        var email: String
        var role: String
        var asksToBuy: Bool
    }

    /// A request that waits for an approval (Ask to Buy).
    struct WaitingRequest: Encodable {
        var transaction: String
        var product: String
    }

    struct Tester: Encodable {
        var tester: String
        var email: String
        var name: String?
        var storefront: String
        var switches: [String: Bool]
        /// The tester's time.
        var time: String
        var speed: String
        /// The time of the next event of a subscription.
        var next: String?
        /// Empty for a tester without a family.
        var family: [Member]
        var waiting: [WaitingRequest]
    }
}

extension ConnectAnswers.ListedTester {
    init(_ account: Account) {
        self.init(
            tester: account.identifier.rawValue, email: account.email, name: account.name,
            storefront: account.storefront.countryCode, switches: account.switchesByName)
    }
}

extension ConnectAnswers.Tester {
    init(_ record: TesterRecord) {
        let account = record.account
        self.init(
            tester: account.identifier.rawValue, email: account.email, name: account.name,
            storefront: account.storefront.countryCode, switches: account.switchesByName, time: record.time.iso8601,
            speed: account.clock.speed.rawValue, next: record.nextStep?.iso8601,
            family: (record.family?.members ?? []).map { member in
                ConnectAnswers.Member(
                    tester: member.account.rawValue, email: member.email, role: member.role.rawValue,
                    asksToBuy: member.asksToBuy)
            },
            waiting: record.waiting.map { request in
                ConnectAnswers.WaitingRequest(
                    transaction: request.transactionIdentifier?.rawValue ?? "",
                    product: request.productIdentifier?.rawValue ?? "")
            })
    }
}

extension Account {
    fileprivate var switchesByName: [String: Bool] {
        Dictionary(AccountSwitch.all.map { ($0.name, has($0)) }) { first, _ in first }
    }
}
