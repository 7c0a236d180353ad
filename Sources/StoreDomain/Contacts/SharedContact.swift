// SPDX-License-Identifier: Apache-2.0

/// The name, the e-mail address and the postcode that a customer shares with
/// the seller of an app.
package struct SharedContact: Hashable, Sendable, Codable {
    package var name: String
    package var email: String
    package var postcode: String

    /// The largest number of bytes of a name.
    static let longestName = 200
    /// The largest number of bytes of a postcode.
    static let longestPostcode = 20

    /// Checks the values that a customer has typed. An empty address is that
    /// of the account.
    ///
    /// - Throws: ``DomainError`` `invalid`, with a sentence for the customer.
    package init(name: String, email: String, postcode: String, of account: Account) throws {
        let email = email.trimmingWhitespace()
        self.name = try Self.checked(name, "name", upTo: Self.longestName)
        self.email = try Self.checked(
            email.isEmpty ? account.email : email, "e-mail address", upTo: Account.longestEmail)
        self.postcode = try Self.checked(postcode, "postcode", upTo: Self.longestPostcode)
        guard self.email.dropFirst().dropLast().contains("@") else {
            throw DomainError(.invalid, "\"\(self.email)\" is no e-mail address. Nothing was charged.")
        }
    }

    private static func checked(_ typed: String, _ what: String, upTo limit: Int) throws -> String {
        let text = typed.trimmingWhitespace()
        guard !text.isEmpty else {
            throw DomainError(.invalid, "Type the \(what) to share, or don't share it. Nothing was charged.")
        }
        guard text.utf8.count <= limit else {
            throw DomainError(.invalid, "The \(what) to share is too long. Nothing was charged.")
        }
        // Sellers read the values in a terminal and in tables.
        guard !text.unicodeScalars.contains(where: \.isInvisible) else {
            throw DomainError(
                .invalid, "The \(what) to share has a character that can't be shown. Nothing was charged.")
        }
        return text
    }
}

/// A contact, and the length by which the period that is bought with it is
/// longer: as the sheet has shown it, also when the product changes later.
package struct ContactExchange: Hashable, Sendable {
    package var contact: SharedContact
    package var bonus: SubscriptionPeriod
}

extension Unicode.Scalar {
    /// Whether the scalar is a line break or another control, or changes the
    /// direction or the shape of others.
    var isInvisible: Bool {
        switch properties.generalCategory {
        // Names of some languages need the two joiners.
        case .format: value != 0x200C && value != 0x200D
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: false
        }
    }
}
