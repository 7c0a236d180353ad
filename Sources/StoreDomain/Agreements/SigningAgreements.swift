// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Accepts the contract for a team, saves its bank account and its tax form,
/// and reads them.
package struct SigningAgreements: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The contract and the forms of the user's team.
    ///
    /// - Throws: ``DomainError`` `forbidden`.
    package func agreements(as user: TeamUser) async throws -> TeamAgreements {
        try user.require(.seeAgreements)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeAgreements, db)
            return try TeamAgreements.find(of: actor.team, db)
        }
    }

    /// A version of the contract.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func contract(_ number: Int64, as user: TeamUser) async throws -> Contract {
        try user.require(.seeAgreements)
        return try await read { db in
            _ = try TeamUser.acting(user, may: .seeAgreements, db)
            guard let contract = try Contract.find(number, db) else {
                throw DomainError(.notFound, "There is no such version of the contract.")
            }
            return contract
        }
    }

    /// Accepts a version of the contract for the team.
    ///
    /// - Throws: ``DomainError``: `forbidden`; `changed` when it isn't the
    ///   newest version.
    package func accept(_ number: Int64, by user: TeamUser) async throws {
        try user.require(.acceptAgreements)
        try await write(.team(user.team)) { db in
            let actor = try TeamUser.acting(user, may: .acceptAgreements, db)
            guard try Contract.newest(db)?.number == number else { throw DomainError.changed }
            let acceptance = ContractAcceptance(
                number: number, email: actor.email, name: actor.name, accepted: db.now)
            // The team has accepted it when the closure runs again after a
            // lost commit.
            guard try acceptance.insert(of: user.team, db) else { return }
            try TeamChange.append(
                .contractAccepted, of: "version \(number)", by: actor.email, in: user.team, db)
        }
    }

    /// Saves the bank account. `version` is that of the page with the form.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `changed`; ``InvalidFields``.
    package func setBank(_ values: Payee.BankValues, version: Int64, by user: TeamUser) async throws {
        try user.require(.editPayee)
        let bank = try values.checked()
        try await change(.bankChanged, version, by: user) { payee in
            let before = payee.bank
            payee.bank = bank
            return (before?.summary ?? "", bank.summary)
        }
    }

    /// Saves the tax form. `version` is that of the page with the form.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `changed`; ``InvalidFields``.
    package func setTax(_ values: Payee.TaxValues, version: Int64, by user: TeamUser) async throws {
        try user.require(.editPayee)
        let form = try values.checked()
        try await change(.taxChanged, version, by: user) { payee in
            let before = payee.tax
            payee.tax = form
            return (before?.summary ?? "", form.summary)
        }
    }

    /// Saves the forms after a change, which returns the masked values before
    /// and after it.
    private func change(
        _ kind: TeamChange.Kind, _ version: Int64, by user: TeamUser,
        _ body: @escaping @Sendable (inout Payee) -> (before: String, after: String)
    ) async throws {
        try await write(.team(user.team)) { db in
            let actor = try TeamUser.acting(user, may: .editPayee, db)
            let before = try Payee.find(of: user.team, db)
            var after = before
            let values = body(&after)
            // Nothing is left to change when the closure runs again after a
            // lost commit.
            guard after != before else { return }
            guard before.version == version else { throw DomainError.changed }
            after.version += 1
            try after.save(of: user.team, db)
            try TeamChange.append(
                kind, of: "", from: values.before, to: values.after, by: actor.email, in: user.team, db)
        }
    }
}
