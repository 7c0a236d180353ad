// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Opens an account; in the sandbox, a test account.
package struct AddingAccount: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Opens an account with an e-mail address, a password and a country.
    ///
    /// - Throws: ``DomainError``: `invalid` for a malformed address, an empty
    ///   or too long password, or an unknown country, `exists` when the
    ///   address has an account.
    package func callAsFunction(email: String, password: String, storefront: String) async throws
        -> Account
    {
        let email = Account.normalized(email)
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !email.contains(where: \.isWhitespace),
            email.utf8.count <= Account.longestEmail
        else {
            throw DomainError(.invalid, "\"\(email)\" is no e-mail address: write name@example.com.")
        }
        guard (1...SigningIn.longestPassword).contains(password.utf8.count) else {
            throw DomainError(.invalid, "A password has 1 to \(SigningIn.longestPassword) bytes.")
        }
        let country = try Storefront.known(storefront)
        let account = Account(
            identifier: AccountIdentifier(random.hexadecimal(bytes: 16)), email: email, storefront: country,
            eventNumber: 0)
        let hash = try await PasswordHash(password, salt: random.bytes(16), by: context.hashing)
        do {
            try await write(for: account.identifier) { db in
                // The account exists when the closure runs again after a lost
                // commit.
                guard try Account.findOpen(account.identifier, db) == nil else { return }
                try account.insert(passwordHash: hash, db)
            }
        } catch let error as DatabaseError where error.constraint == "account_email_pkey" {
            throw DomainError(.exists, "There is an account for \(email) already.")
        }
        return account
    }
}
