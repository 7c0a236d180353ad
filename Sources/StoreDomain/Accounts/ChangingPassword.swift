// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Sets a new password of an account, and ends all of its sessions.
package struct ChangingPassword: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Sets the password of an account whose old one was checked.
    ///
    /// - Returns: The account with the number of its new password.
    /// - Throws: ``DomainError``: `invalid` for an empty or too long password,
    ///   `wrongPassword` when the account was closed, or its password changed,
    ///   since the old one was checked; `busy`.
    package func callAsFunction(of account: Account, to password: String) async throws -> Account {
        try SigningIn.check(newPassword: password)
        let hash = try await PasswordHash(password, salt: random.bytes(16), by: context.hashing, from: account.email)
        return try await write(for: account.identifier) { db in
            // The password is set when the closure runs again after a lost
            // commit.
            if let set = try Account.withPassword(email: account.email, in: db.environment, db), set.1 == hash {
                return set.0
            }
            try Account.require(account, db)
            try account.setPassword(hash, db)
            guard let changed = try Account.findOpen(account.identifier, db) else { throw SigningIn.wrong }
            return changed
        }
    }
}
