// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Changes the name, the locale, the storefront or the switches of an account.
package struct ChangingAccount: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The new values; `nil` leaves a value as it is.
    package struct Change: Hashable, Sendable {
        /// The country, in three letters.
        package var storefront: String?
        /// An empty name removes the name.
        package var name: String?
        /// The language, with or without a region. An empty one removes it, so
        /// that the storefront's applies.
        package var locale: String?
        package var passwordRule: PasswordRule?
        /// The switches to turn on or off.
        package var switches: [AccountSwitch: Bool]

        package init(
            storefront: String? = nil, name: String? = nil, locale: String? = nil, passwordRule: PasswordRule? = nil,
            switches: [AccountSwitch: Bool] = [:]
        ) {
            self.storefront = storefront
            self.name = name
            self.locale = locale
            self.passwordRule = passwordRule
            self.switches = switches
        }
    }

    /// Changes the account of an e-mail address, and returns it. Its devices
    /// are notified of another storefront by an event.
    ///
    /// - Throws: ``DomainError``: `notFound`; `invalid` for an unknown country,
    ///   a name or a locale of another form, an unknown rule, and for a switch
    ///   of tests outside of the sandbox, and for another country of a family's member.
    package func callAsFunction(email: String, _ change: Change) async throws -> Account {
        let checked = try CheckedChange(change, in: environment)
        let found = try await FindingAccount(context)(email: email)
        return try await write(for: found.identifier) { db in
            guard var account = try Account.findOpen(found.identifier, db) else {
                throw DomainError.noAccount(found.email)
            }
            let before = account.storefront
            if let storefront = checked.storefront, storefront != before,
                try Family.of(account.identifier, db) != nil
            {
                throw DomainError(
                    .invalid,
                    "A family has one storefront: \(account.email) leaves its family first. Nothing was changed.")
            }
            checked.apply(to: &account)
            try account.update(db)
            if account.storefront != before {
                account.eventNumber = try AccountEvent.append(
                    .storefront, account: account.identifier, bundleIdentifier: "", transactionIdentifier: "", db
                ).number
            }
            return account
        }
    }
}

/// The values of a change that an account can have.
private struct CheckedChange: Sendable {
    var change: ChangingAccount.Change
    var storefront: Storefront?
    /// `.some(nil)` removes the name.
    var name: String??
    var locale: String??

    /// - Throws: ``DomainError`` `invalid`.
    init(_ change: ChangingAccount.Change, in environment: StoreEnvironment) throws {
        self.change = change
        storefront = try change.storefront.map(Storefront.known)
        name = try change.name.map(Account.checkedName)
        locale = try change.locale.map(Account.checkedLocale)
        if let rule = change.passwordRule, !PasswordRule.all.contains(rule) {
            let rules = PasswordRule.all.map(\.rawValue).joined(separator: ", ")
            throw DomainError(.invalid, "The store asks for the password by one of these rules: \(rules).")
        }
        let tests = change.switches.filter { $0.value && $0.key.kind == .test }.keys.map(\.name).sorted()
        guard tests.isEmpty || environment == .sandbox else {
            throw DomainError(.invalid, "Only accounts of the sandbox have \(tests.joined(separator: ", ")).")
        }
    }

    func apply(to account: inout Account) {
        account.storefront = storefront ?? account.storefront
        account.name = name ?? account.name
        account.locale = locale ?? account.locale
        account.passwordRule = change.passwordRule ?? account.passwordRule
        for (setting, isOn) in change.switches {
            if isOn { account.switches.insert(setting) } else { account.switches.remove(setting) }
        }
    }
}
