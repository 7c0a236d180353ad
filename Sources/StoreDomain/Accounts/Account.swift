// SPDX-License-Identifier: Apache-2.0

/// A customer of the store.
package struct Account: Hashable, Sendable {
    package var identifier: AccountIdentifier
    /// In lower case, without surrounding whitespace.
    package var email: String
    /// The customer's name; `nil` for an account without one.
    package var name: String?
    /// The customer's language and region, such as `de_DE`; `nil` for those of
    /// the storefront.
    package var locale: String?
    /// The storefront in which the account buys.
    package var storefront: Storefront
    /// The number of the account's newest event.
    package var eventNumber: Int64
    /// The switches that are on.
    package var switches: Set<AccountSwitch> = []
    /// The number of changes of the password. A session that was opened with
    /// an earlier password has ended.
    package var passwordNumber: Int64 = 0
    /// When the sheet asks for the password.
    package var passwordRule = PasswordRule.afterAWhile
    /// The payment method that its payments are charged by.
    package var paymentMethod = PaymentMethod.Preferred.standard
    /// The account's time, and the speed of its renewals.
    package var clock = AccountClock()
    /// Until when the renewals of a tester end as if their products weren't
    /// sold any more (``TesterRules``); `nil` for an account without the rule.
    var unsoldUntil: WallTime?
    /// The team of Connect that has made it in the sandbox; the operator's for
    /// every other account.
    package var team = Team.ofTheStore

    package init(identifier: AccountIdentifier, email: String, storefront: Storefront, eventNumber: Int64) {
        self.identifier = identifier
        self.email = email
        self.storefront = storefront
        self.eventNumber = eventNumber
    }

    /// RFC 5321, section 4.5.3.1: 64 for the name, 255 for the domain, and the `@`.
    static let longestEmail = 320

    /// Whether a switch is on.
    package func has(_ setting: AccountSwitch) -> Bool { switches.contains(setting) }

    /// Whether renewals end at a moment as if their products weren't sold any
    /// more.
    func endsUnsold(at moment: WallTime) -> Bool { unsoldUntil.map { moment < $0 } ?? false }

    /// The account's time at a moment of the wall's.
    package func time(at moment: WallTime) -> StoreTime {
        clock.time(at: moment)
    }

    /// The form of an e-mail address in which accounts are stored and looked
    /// up.
    package static func normalized(_ email: String) -> String {
        email.trimmingWhitespace().lowercased()
    }
}

extension String {
    func trimmingWhitespace() -> String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
