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

    /// The new address of a link that can be used.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func check(_ token: String) async throws -> String {
        try await find(token).link.email
    }

    /// Changes the address, makes all links of the account useless, and orders
    /// a message to the old address.
    ///
    /// - Throws: ``DomainError``: `notFound` for a link that can't be used,
    ///   also because another account has the address meanwhile.
    package func callAsFunction(_ token: String) async throws {
        let (link, account) = try await find(token)
        let tokenHash = Data(token.utf8).fingerprint
        let identifier = random.hexadecimal(bytes: 8)
        do {
            try await write(for: account.identifier) { db in
                // The address is changed when the closure runs again after a
                // lost commit.
                guard let current = try Account.findOpen(account.identifier, db), current.email != link.email else {
                    return
                }
                guard let found = try OneTimeLink.find(.address, tokenHash: tokenHash, db) else {
                    throw OneTimeLink.unknown
                }
                try found.account.setEmail(found.link.email, db)
                try OneTimeLink.deleteAll(of: account.identifier, db)
                try MailOrder(
                    identifier: identifier, kind: .addressChanged, recipient: found.account.email,
                    account: account.identifier, due: db.now
                ).insert(db)
            }
        } catch let error as DatabaseError where error.constraint == "account_email_pkey" {
            throw OneTimeLink.unknown
        }
    }

    private func find(_ token: String) async throws -> (link: OneTimeLink, account: Account) {
        let found = try await read { db in
            try OneTimeLink.find(.address, tokenHash: Data(token.utf8).fingerprint, db).map { Found(link: $0.link, account: $0.account) }
        }
        guard let found else { throw OneTimeLink.unknown }
        return (found.link, found.account)
    }

    private struct Found: Sendable {
        var link: OneTimeLink
        var account: Account
    }
}
