// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// Gives an account another e-mail address, by the link of a message that was
/// sent to it.
package struct ChangingAddress: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The account and the new address of a link that can be used.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func check(_ token: String) async throws -> (account: Account, email: String) {
        let found = try await find(token)
        return (found.account, found.link.email)
    }

    /// Changes the address, makes all links of the account useless, and orders
    /// a message to the old address.
    ///
    /// - Throws: ``DomainError``: `notFound` for a link that can't be used,
    ///   also because another account has the address meanwhile.
    package func callAsFunction(_ token: String) async throws {
        let found = try await find(token)
        let (email, account) = (found.link.email, found.account.identifier)
        let tokenHash = Data(token.utf8).fingerprint
        let identifier = random.hexadecimal(bytes: 8)
        do {
            try await write(for: account) { db in
                // The address is changed when the closure runs again after a
                // lost commit.
                guard try Account.findOpen(account, db)?.email != email else { return }
                guard let taken = try OneTimeLink.take(.address, tokenHash: tokenHash, of: account, db) else {
                    throw OneTimeLink.unknown
                }
                try taken.account.setEmail(email, db)
                try MailOrder(
                    identifier: identifier, kind: .addressChanged, recipient: taken.account.email, account: account,
                    due: db.now
                ).insert(db)
            }
        } catch let error as DatabaseError where error.constraint == "account_email_pkey" {
            throw OneTimeLink.unknown
        }
    }

    private func find(_ token: String) async throws -> Found {
        let found = try await read { db in
            try OneTimeLink.find(.address, tokenHash: Data(token.utf8).fingerprint, db)
                .map { Found(link: $0.link, account: $0.account) }
        }
        guard let found else { throw OneTimeLink.unknown }
        return found
    }

    private struct Found: Sendable {
        var link: OneTimeLink
        var account: Account
    }
}
