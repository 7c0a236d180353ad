// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Looks up an account by its e-mail address.
package struct FindingAccount: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The account, unless it is closed.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func callAsFunction(email: String) async throws -> Account {
        let email = Account.normalized(email)
        guard let account = try await read({ db in try Account.find(email: email, db) }) else {
            throw DomainError.noAccount(email)
        }
        return account
    }
}
