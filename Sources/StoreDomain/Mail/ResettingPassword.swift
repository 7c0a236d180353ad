// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// Sets a new password by the link of a message.
package struct ResettingPassword: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The account of a link that can be used.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func check(_ token: String) async throws -> Account {
        let found = try await read { db in
            try OneTimeLink.find(.password, tokenHash: Data(token.utf8).fingerprint, db)?.account
        }
        guard let found else { throw OneTimeLink.unknown }
        return found
    }

    /// Sets the password, ends all sessions of the account, and makes all of
    /// its links useless. Wrong passwords that were typed for the account don't
    /// count any more. Of an `origin` only some hashes wait at a time.
    ///
    /// - Throws: ``DomainError``: `notFound` for a link that can't be used,
    ///   `invalid` for an empty or too long password, `busy`.
    package func callAsFunction(_ token: String, to password: String, from origin: String?) async throws {
        let account = try await check(token)
        try SigningIn.check(newPassword: password)
        let hash = try await PasswordHash(
            password, salt: random.bytes(16), by: context.hashing, from: origin ?? account.email)
        let tokenHash = Data(token.utf8).fingerprint
        try await write(for: account.identifier) { db in
            // The password is set when the closure runs again after a lost
            // commit.
            let known = try Account.withPassword(email: account.email, in: db.environment, db)
            if known?.0.identifier == account.identifier, known?.1 == hash { return }
            guard let taken = try OneTimeLink.take(.password, tokenHash: tokenHash, of: account.identifier, db) else {
                throw OneTimeLink.unknown
            }
            try taken.account.setPassword(hash, db)
            try SignInThrottle.forgetAll(of: taken.account, db)
        }
    }
}
