// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Sets the rules of a tester's renewals, or removes them.
package struct SettingTesterRules: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Sets the rules of the account of an e-mail address, for ten minutes; an
    /// empty set removes them.
    ///
    /// - Throws: ``DomainError``: `notFound`; `invalid` outside of the sandbox.
    package func callAsFunction(_ rules: TesterRules, email: String) async throws {
        guard environment == .sandbox else { throw SandboxPayment.noSandbox }
        let email = Account.normalized(email)
        let found = try await read { db in try Account.find(email: email, db) }
        guard let found else { throw DomainError.noAccount(email) }
        try await write(for: found.identifier) { db in try rules.save(of: found.identifier, db) }
    }
}
