// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

extension Control {
    /// The settings of an account to change; absent ones stay as they are.
    ///
    /// A switch is a field with its name (``AccountSwitch/name``).
    package struct AccountCall: Codable, Sendable {
        package var email: String
        /// The country, in three letters.
        package var storefront: String?
        /// An empty name removes the name.
        package var name: String?
        /// A language such as `de` or `de_DE`; an empty one removes it.
        package var locale: String?
        /// `always`, `after-15-minutes` or `never-for-free`.
        package var passwordRule: String?
        package var switches: [AccountSwitch: Bool]

        package init(
            email: String, storefront: String? = nil, name: String? = nil, locale: String? = nil,
            passwordRule: String? = nil, switches: [AccountSwitch: Bool] = [:]
        ) {
            self.email = email
            self.storefront = storefront
            self.name = name
            self.locale = locale
            self.passwordRule = passwordRule
            self.switches = switches
        }

        /// Reads the fields, and those of all switches.
        ///
        /// - Throws: `DecodingError`.
        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: FieldName.self)
            email = try fields.decode(String.self, forKey: "email")
            storefront = try fields.decodeIfPresent(String.self, forKey: "storefront")
            name = try fields.decodeIfPresent(String.self, forKey: "name")
            locale = try fields.decodeIfPresent(String.self, forKey: "locale")
            passwordRule = try fields.decodeIfPresent(String.self, forKey: "passwordRule")
            switches = try fields.decodeSwitches()
        }

        /// Writes the fields, and those of the switches to change.
        ///
        /// - Throws: `EncodingError`.
        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: FieldName.self)
            try fields.encode(email, forKey: "email")
            try fields.encodeIfPresent(storefront, forKey: "storefront")
            try fields.encodeIfPresent(name, forKey: "name")
            try fields.encodeIfPresent(locale, forKey: "locale")
            try fields.encodeIfPresent(passwordRule, forKey: "passwordRule")
            for (setting, isOn) in switches { try fields.encode(isOn, forKey: FieldName(setting.name)) }
        }

        var change: ChangingAccount.Change {
            ChangingAccount.Change(
                storefront: storefront, name: name, locale: locale,
                passwordRule: passwordRule.map(PasswordRule.init(rawValue:)), switches: switches)
        }
    }

    /// An account with its settings.
    package struct AccountAnswer: Codable, Sendable {
        package var email: String
        package var storefront: String
        package var name: String?
        package var locale: String?
        package var passwordRule: String
        package var switches: [AccountSwitch: Bool]

        package init(_ account: Account) {
            email = account.email
            storefront = account.storefront.countryCode
            name = account.name
            locale = account.locale
            passwordRule = account.passwordRule.rawValue
            switches = Dictionary(uniqueKeysWithValues: AccountSwitch.all.map { ($0, account.has($0)) })
        }

        /// Reads the fields, and those of all switches.
        ///
        /// - Throws: `DecodingError`.
        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: FieldName.self)
            email = try fields.decode(String.self, forKey: "email")
            storefront = try fields.decode(String.self, forKey: "storefront")
            name = try fields.decodeIfPresent(String.self, forKey: "name")
            locale = try fields.decodeIfPresent(String.self, forKey: "locale")
            passwordRule = try fields.decode(String.self, forKey: "passwordRule")
            switches = try fields.decodeSwitches()
        }

        /// Writes the fields, and those of all switches.
        ///
        /// - Throws: `EncodingError`.
        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: FieldName.self)
            try fields.encode(email, forKey: "email")
            try fields.encode(storefront, forKey: "storefront")
            try fields.encodeIfPresent(name, forKey: "name")
            try fields.encodeIfPresent(locale, forKey: "locale")
            try fields.encode(passwordRule, forKey: "passwordRule")
            for (setting, isOn) in switches { try fields.encode(isOn, forKey: FieldName(setting.name)) }
        }
    }

    package struct AccountsCall: Codable, Sendable {
        /// Lists the accounts whose addresses follow this one; from the first
        /// when absent.
        package var after: String?

        package init(after: String? = nil) {
            self.after = after
        }
    }

    package struct AccountsAnswer: Codable, Sendable {
        /// At most 200, in the order of their addresses.
        package var accounts: [AccountAnswer]
    }

    package struct ShowAccountCall: Codable, Sendable {
        package var email: String

        package init(email: String) {
            self.email = email
        }
    }

    /// A new account.
    package struct NewAccountCall: Codable, Sendable {
        package var email: String
        package var password: String
        /// The country, in three letters.
        package var storefront: String
        package var name: String?
        /// A language such as `de` or `de_DE`.
        package var locale: String?

        package init(email: String, password: String, storefront: String, name: String? = nil, locale: String? = nil) {
            self.email = email
            self.password = password
            self.storefront = storefront
            self.name = name
            self.locale = locale
        }
    }

    /// The account of an e-mail address.
    package struct NewAccountAnswer: Codable, Sendable {
        package var email: String
        /// `nil` for an account that existed before.
        package var storefront: String?
        /// False when the address had an account before, which stays as it is.
        package var isNew: Bool
    }

    package struct CloseAccountCall: Codable, Sendable {
        package var email: String

        package init(email: String) {
            self.email = email
        }
    }

    package struct CloseAccountAnswer: Codable, Sendable {
        package var email: String
    }

    /// The name of a field of a message.
    fileprivate struct FieldName: CodingKey, ExpressibleByStringLiteral {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) {
            stringValue = name
        }

        init(stringLiteral name: String) {
            stringValue = name
        }

        init?(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            return nil
        }
    }
}

extension KeyedDecodingContainer<Control.FieldName> {
    /// The switches whose fields are present.
    fileprivate func decodeSwitches() throws -> [AccountSwitch: Bool] {
        var switches: [AccountSwitch: Bool] = [:]
        for setting in AccountSwitch.all {
            switches[setting] = try decodeIfPresent(Bool.self, forKey: Control.FieldName(setting.name))
        }
        return switches
    }
}
