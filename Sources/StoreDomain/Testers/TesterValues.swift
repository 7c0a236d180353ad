// SPDX-License-Identifier: Apache-2.0

/// The typed values of a new sandbox tester.
package struct TesterValues: Hashable, Sendable {
    package var email: String
    package var password: String
    package var name: String
    /// The country, in three letters.
    package var storefront: String

    package init(email: String, password: String, name: String = "", storefront: String) {
        self.email = email
        self.password = password
        self.name = name
        self.storefront = storefront
    }

    /// The values, in the form in which they are stored.
    ///
    /// - Throws: ``InvalidFields``.
    func checked() throws -> TesterValues {
        var checks = FieldChecks()
        var values = self
        values.email = checks.email(email, field: "email")
        if password.isEmpty { checks.add("password", .missing) }
        if password.utf8.count > SigningIn.longestPassword {
            checks.add("password", .tooLong, limit: SigningIn.longestPassword)
        }
        values.name = Self.checked(name: name, &checks)
        Self.check(storefront: storefront, &checks)
        try checks.finish()
        return values
    }

    static func checked(name: String, _ checks: inout FieldChecks) -> String {
        let name = name.trimmingWhitespace()
        do {
            return try Account.checkedName(name) ?? ""
        } catch {
            checks.add("name", .malformed)
            return ""
        }
    }

    static func check(storefront: String, _ checks: inout FieldChecks) {
        if Storefront.named(storefront) == nil { checks.add("storefront", storefront.isEmpty ? .missing : .unknown) }
    }
}

/// The values of a tester that its page changes.
package struct TesterSettings: Hashable, Sendable {
    package var name: String
    package var storefront: String
    package var switches: Set<AccountSwitch>

    package init(name: String, storefront: String, switches: Set<AccountSwitch>) {
        self.name = name
        self.storefront = storefront
        self.switches = switches
    }

    /// The settings of an account.
    package init(_ account: Account) {
        self.init(name: account.name ?? "", storefront: account.storefront.countryCode, switches: account.switches)
    }

    /// A text that differs for different settings: the form has that of its
    /// page, and the log the old and the new one. The name is in quotation
    /// marks, also an empty one, so that no name reads as a switch.
    package var text: String {
        let names = AccountSwitch.all.filter { switches.contains($0) }.map(\.name)
        let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return ([storefront, "\"\(quoted)\""] + names).joined(separator: ", ")
    }

    var change: ChangingAccount.Change {
        ChangingAccount.Change(
            storefront: storefront, name: name,
            switches: Dictionary(uniqueKeysWithValues: AccountSwitch.all.map { ($0, switches.contains($0)) }))
    }

    func checked() throws -> TesterSettings {
        var checks = FieldChecks()
        var settings = self
        settings.name = TesterValues.checked(name: name, &checks)
        TesterValues.check(storefront: storefront, &checks)
        try checks.finish()
        return settings
    }
}

/// A tester with the values that its page shows.
package struct TesterRecord: Sendable {
    package var account: Account
    /// The account's time now.
    package var time: StoreTime
    /// When a subscription's next step is due, in the account's time.
    package var nextStep: StoreTime?
    /// `nil` for a tester without one.
    package var family: Family?
    /// The requests that wait for an approval (Ask to Buy).
    package var waiting: [DeviceRequest]
}
