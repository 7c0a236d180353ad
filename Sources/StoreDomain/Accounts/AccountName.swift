// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The checks of the texts of an account: its address, its name and its
/// locale.
extension Account {
    /// An e-mail address in the form in which accounts are stored.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    static func checkedEmail(_ typed: String) throws -> String {
        let email = normalized(typed)
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !email.contains(where: \.isWhitespace),
            email.utf8.count <= longestEmail
        else {
            throw DomainError(
                .invalid, "\"\(email)\" is no e-mail address: write name@example.com.", reason: .emailAddress)
        }
        return email
    }

    /// The largest number of bytes of a customer's name.
    static let longestName = 200
    /// The largest number of bytes of a locale, such as `zh_Hant_TW`.
    static let longestLocale = 35

    /// A customer's name without surrounding whitespace; `nil` for an empty
    /// one.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    static func checkedName(_ typed: String) throws -> String? {
        let name = typed.trimmingWhitespace()
        guard !name.isEmpty else { return nil }
        guard name.utf8.count <= longestName, !name.unicodeScalars.contains(where: \.isInvisible) else {
            throw DomainError(
                .invalid, "A name has at most \(longestName) bytes, and no character that can't be shown.")
        }
        return name
    }

    /// A locale with underscores, such as `de_DE`; `nil` for an empty one.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    static func checkedLocale(_ typed: String) throws -> String? {
        guard !typed.isEmpty else { return nil }
        let parts = typed.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
        let isLocale = parts.enumerated().allSatisfy { place, part in
            let isLanguage = place == 0
            return (isLanguage ? 2...3 : 2...8).contains(part.utf8.count)
                && part.unicodeScalars.allSatisfy {
                    $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9") ~= $0 && !isLanguage)
                }
        }
        guard isLocale, typed.utf8.count <= longestLocale else {
            throw DomainError(.invalid, "\"\(typed)\" is no language: write one such as de, or de_DE.")
        }
        return parts.joined(separator: "_")
    }

    /// The customer's language, or else that of the storefront, such as
    /// `de_DE`.
    package var language: String { locale ?? storefront.languages.first ?? "en_US" }
}
