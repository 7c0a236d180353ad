// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Closes an account for good: its address, its password and what apps kept
/// for it are forgotten, and every device is signed out of it. What waits for
/// a decision about its payments fails. What it bought stays in the books, and
/// belongs to nobody any more.
package struct ClosingAccount: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// - Throws: ``DomainError``: `notFound`; `underWay` while a payment of
    ///   the account is on its way, since its customer would get nothing.
    package func callAsFunction(email: String, now: Instant) async throws {
        let email = Account.normalized(email)
        let found = try await database.read { [environment] connection in
            try Account.withPassword(email: email, environment, connection)?.0
        }
        guard let account = found else { throw DomainError(.notFound, "There is no account for \(email).") }
        try await database.write(for: account.identifier) { [environment] connection in
            guard try !Payment.isUnderWay(of: account.identifier, environment, connection) else {
                throw DomainError(.underWay, "A payment of \(email) is under way: try again in a minute.")
            }
            // Whoever decided later would charge for what nobody can get.
            try Request.failUndecided(of: account.identifier, because: .accountClosed, environment, connection)
            try account.close(at: now, environment, connection)
            try KeyValue.deleteAll(of: account.identifier, environment, connection)
        }
    }
}
