// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Opens an account; in the sandbox, a test account.
package struct AddingAccount: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Opens an account with an e-mail address, a password, a country, and if
    /// they are given a name and a language. `team` is the team of Connect that
    /// makes a tester, and `origin` who asks for the hash of the password; the
    /// operator has no origin. `check` comes before the answer that an address has an
    /// account: it throws for a caller who may not have the answer.
    ///
    /// - Throws: The errors of `check`; ``DomainError``: `invalid` for a
    ///   malformed address, an empty or too long password, an unknown country,
    ///   or a name or a language of another form, `exists` when the address has
    ///   an account.
    package func callAsFunction(
        email: String, password: String, storefront: String, name: String? = nil, locale: String? = nil,
        team: TeamIdentifier = Team.ofTheStore, origin: String? = nil,
        check: @escaping @Sendable (StoreTransaction) throws -> Void = { _ in }
    ) async throws -> Account {
        let email = try Account.checkedEmail(email)
        try SigningIn.check(newPassword: password)
        let country = try Storefront.known(storefront)
        var account = Account(
            identifier: AccountIdentifier(random.hexadecimal(bytes: 16)), email: email, storefront: country,
            eventNumber: 0)
        account.team = team
        account.name = try name.flatMap(Account.checkedName)
        account.locale = try locale.flatMap(Account.checkedLocale)
        // A hash costs more than all else here, and a known address needs none.
        let known = try await read { db in
            try check(db)
            return try Account.find(email: email, db)
        }
        guard known == nil else { throw Self.exists(email) }
        let salt = random.bytes(16)
        let hash =
            if let origin {
                try await PasswordHash(password, salt: salt, by: context.hashing, from: origin, isPreferred: false)
            } else {
                try await PasswordHash(password, salt: salt, by: context.hashing)
            }
        do {
            try await write(for: account.identifier) { [account] db in
                // The account exists when the closure runs again after a lost
                // commit.
                guard try Account.findOpen(account.identifier, db) == nil else { return }
                try account.insert(passwordHash: hash, db)
            }
        } catch let error as DatabaseError where error.constraint == "account_email_pkey" {
            throw Self.exists(email)
        }
        return account
    }

    private static func exists(_ email: String) -> DomainError {
        DomainError(.exists, "There is an account for \(email) already.")
    }
}
