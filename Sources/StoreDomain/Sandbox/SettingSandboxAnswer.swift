// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Sets how the sandbox's payment provider answers the next payments of an
/// account, or of all accounts.
package struct SettingSandboxAnswer: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Sets the answer for the account of an e-mail address, or for all
    /// accounts without one of their own; `nil` removes the answer. Payments
    /// that are under way keep theirs.
    ///
    /// - Throws: ``DomainError``: `notFound`; `invalid` for values that don't
    ///   fit together, and outside of the sandbox.
    package func callAsFunction(_ answer: SandboxAnswer?, email: String?) async throws {
        guard environment == .sandbox else { throw SandboxPayment.noSandbox }
        try answer?.check()
        let email = email.map(Account.normalized)
        try await write(.key("sandbox answer of \(email ?? "all")")) { db in
            var account: AccountIdentifier?
            if let email {
                guard let found = try Account.find(email: email, db) else {
                    throw DomainError.noAccount(email)
                }
                account = found.identifier
            }
            try SandboxAnswer.save(answer, for: account, db)
        }
    }
}
