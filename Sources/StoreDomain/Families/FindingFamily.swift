// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Looks up the family of an account.
package struct FindingFamily: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The family of the account with an e-mail address.
    ///
    /// - Throws: ``DomainError`` `notFound` for an unknown account, and for
    ///   one without a family.
    package func callAsFunction(email: String) async throws -> Family {
        let account = try await FindingAccount(context)(email: email)
        guard let family = try await read({ db in try Family.of(account.identifier, db) }) else {
            throw Self.none(account)
        }
        return family
    }

    /// The error for an account without a family.
    static func none(_ account: Account) -> DomainError {
        DomainError(.notFound, "\(account.email) is in no family.")
    }
}
