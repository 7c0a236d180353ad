// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// An app as its team has registered it.
package struct AppRegistration: Hashable, Sendable {
    package var team: TeamIdentifier
    package var bundleIdentifier: BundleIdentifier
    package var name: String
    /// The team's own number of the app; `nil` for an app of an imported file.
    package var sku: String?
    /// The language of its texts that every customer gets whose own language
    /// is missing, such as `en_US`; `nil` for an app of an imported file.
    package var primaryLocale: String?
    /// The number of changes in Connect. A form has the one that its page
    /// showed.
    package var version: Int64 = 0
    /// The app's number in the store, which Apple calls Apple ID: the number of
    /// its item. `nil` for an app of an imported file before it is drawn.
    package var appleIdentifier: Int64?
    package var state = State.used

    /// Whether the team's list has an app.
    package enum State: String, CaseIterable, Hashable, Sendable {
        case used
        /// Its team doesn't use it any more. Its products are off sale, and its customers keep their purchases.
        case removed
    }

    /// The values that a team changes; `nil` for those that stay.
    package struct Change: Sendable {
        package var name: String?
        package var state: String?

        package init(name: String?, state: String?) {
            self.name = name
            self.state = state
        }
    }

    /// The most apps of a team, with the removed ones.
    package static let limit = 500
    package static let nameLengths = 2...30
    package static let longestSKU = 100
    package static let longestBundleIdentifier = 155

    /// All languages in which the store shows texts, such as `en_US`.
    package static let locales = Set(Storefront.all.flatMap(\.languages)).sorted()

    /// The values of an app's form.
    package struct Values: Sendable {
        package var bundleIdentifier: String
        package var name: String
        package var sku: String
        package var primaryLocale: String

        package init(bundleIdentifier: String, name: String, sku: String, primaryLocale: String) {
            self.bundleIdentifier = bundleIdentifier
            self.name = name
            self.sku = sku
            self.primaryLocale = primaryLocale
        }
    }

    /// A registration of checked values.
    ///
    /// - Throws: ``InvalidFields``.
    init(checking values: Values, of team: TeamIdentifier) throws {
        var checks = FieldChecks()
        self.team = team
        name = Self.checked(name: values.name, &checks)
        let bundle = values.bundleIdentifier.trimmingWhitespace()
        bundleIdentifier = BundleIdentifier(bundle)
        checks.identifier(
            bundle, field: "bundle", longest: Self.longestBundleIdentifier, with: "-.", mayBeginWithSign: false)
        if bundleIdentifier == Item.catalogue { checks.add("bundle", .taken) }
        let number = values.sku.trimmingWhitespace()
        sku = number
        checks.identifier(number, field: "sku", longest: Self.longestSKU, with: "-._", mayBeginWithSign: false)
        primaryLocale = values.primaryLocale
        if !Self.locales.contains(values.primaryLocale) {
            checks.add("locale", values.primaryLocale.isEmpty ? .missing : .unknown)
        }
        version = 1
        try checks.finish()
    }

    /// An app's checked name.
    static func checked(name: String, _ checks: inout FieldChecks) -> String {
        let name = checks.text(name, field: "name", longest: nameLengths.upperBound)
        if name.count < nameLengths.lowerBound, !name.isEmpty {
            checks.add("name", .tooShort, limit: nameLengths.lowerBound)
        }
        return name
    }

    init(
        team: TeamIdentifier, bundleIdentifier: BundleIdentifier, name: String, sku: String?, primaryLocale: String?,
        version: Int64, appleIdentifier: Int64?, state: State
    ) {
        self.team = team
        self.bundleIdentifier = bundleIdentifier
        self.name = name
        self.sku = sku
        self.primaryLocale = primaryLocale
        self.version = version
        self.appleIdentifier = appleIdentifier
        self.state = state
    }
}

extension FieldChecks {
    /// An identifier of ASCII letters, digits and some signs.
    mutating func identifier(
        _ text: String, field: String, longest: Int, with signs: String, mayBeginWithSign: Bool = true
    ) {
        func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        if text.isEmpty {
            add(field, .missing)
        } else if text.utf8.count > longest {
            add(field, .tooLong, limit: longest)
        } else if !text.utf8.allSatisfy({ isPlain($0) || signs.utf8.contains($0) })
            || (!mayBeginWithSign && text.utf8.first.map(isPlain) == false)
        {
            add(field, .malformed)
        }
    }
}
