// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The bank account and the tax form of a team, to which the operator pays.
///
/// They are secrets: no log has them, and pages show ``IBAN/masked`` and
/// ``TaxForm/maskedNumber``.
package struct Payee: Hashable, Sendable {
    /// A bank account.
    package struct Bank: Hashable, Sendable {
        package var holder: String
        package var iban: IBAN
        /// The bank's code (ISO 9362); empty where the IBAN is enough.
        package var bic: String

        /// The account without its number, for the log of changes.
        var summary: String { "\(holder), \(iban.masked)" }
    }

    /// The tax form of a team.
    package struct TaxForm: Hashable, Sendable {
        package var legalName: String
        package var address: String
        /// A storefront's country code of three letters.
        package var country: String
        package var number: String

        package var maskedNumber: String { "•••\(number.suffix(3))" }

        /// The form without the number, for the log of changes.
        var summary: String { "\(legalName), \(country)" }
    }

    /// `nil` while the form isn't filled in.
    package var bank: Bank?
    package var tax: TaxForm?
    /// The number of saved forms. A form has the one that its page showed.
    package var version: Int64 = 0

    package static let longestName = 100
    package static let longestAddress = 500
    package static let longestNumber = 30

    /// The values of the form of a bank account.
    package struct BankValues: Sendable {
        package var holder: String
        package var iban: String
        package var bic: String

        package init(holder: String, iban: String, bic: String) {
            self.holder = holder
            self.iban = iban
            self.bic = bic
        }

        /// - Throws: ``InvalidFields``.
        func checked() throws -> Bank {
            var checks = FieldChecks()
            let holder = checks.text(holder, field: "holder", longest: Payee.longestName)
            let number = IBAN(iban)
            if number == nil { checks.add("iban", iban.trimmingWhitespace().isEmpty ? .missing : .malformed) }
            let code = bic.trimmingWhitespace().uppercased()
            if !code.isEmpty, !Payee.isBIC(code) { checks.add("bic", .malformed) }
            try checks.finish()
            guard let number else { throw InvalidFields(problems: [FieldProblem(field: "iban", kind: .malformed)]) }
            return Bank(holder: holder, iban: number, bic: code)
        }
    }

    /// The values of a tax form.
    package struct TaxValues: Sendable {
        package var legalName: String
        package var address: String
        package var country: String
        package var number: String

        package init(legalName: String, address: String, country: String, number: String) {
            self.legalName = legalName
            self.address = address
            self.country = country
            self.number = number
        }

        /// - Throws: ``InvalidFields``.
        func checked() throws -> TaxForm {
            var checks = FieldChecks()
            let form = TaxForm(
                legalName: checks.text(legalName, field: "legalName", longest: Payee.longestName),
                address: checks.text(address, field: "address", longest: Payee.longestAddress, isOneLine: false),
                country: country.trimmingWhitespace().uppercased(),
                number: checks.text(number, field: "taxNumber", longest: Payee.longestNumber))
            if (try? Storefront.known(form.country)) == nil {
                checks.add("country", form.country.isEmpty ? .missing : .unknown)
            }
            try checks.finish()
            return form
        }
    }

    /// Whether a text has the form of a bank's code: four letters of the bank,
    /// two of the country, two characters of the place, and perhaps three of
    /// the branch.
    private static func isBIC(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?/) != nil
    }
}
