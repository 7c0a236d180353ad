// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the sandbox testers of a team.
package struct ReadingTesters: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The testers of a storefront, or of all, whose address or name contains a
    /// text, in an order.
    ///
    /// - Throws: ``DomainError``: `forbidden`; `notFound` in production, whose
    ///   accounts are the store's customers.
    package func callAsFunction(
        containing text: String = "", storefront: String = "", by sort: TesterSort = .usual,
        after place: ListPlace? = nil, as user: TeamUser
    ) async throws -> ReadingTeam.Page<Account, ListPlace> {
        try require(user)
        let search = try SearchText(text)
        return try await ReadingTeam.Page(after: place) { place, limit in
            try await read { db in
                let actor = try TeamUser.acting(user, may: .seeTesters, db)
                return try Account.page(of: actor.team, by: sort, after: place, limit: limit, db)
            }
        } matching: { account in
            (storefront.isEmpty || account.storefront.countryCode == storefront)
                && search.matches([account.email, account.name ?? ""])
        }
    }

    /// A tester of the team.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func tester(_ identifier: AccountIdentifier, as user: TeamUser) async throws -> TesterRecord {
        try require(user)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeTesters, db)
            let account = try Account.known(identifier, of: actor.team, db)
            return TesterRecord(
                account: account, time: account.time(at: db.now),
                nextStep: try Subscription.firstMoment(of: account.identifier, db),
                family: try Family.of(account.identifier, db),
                waiting: try DeviceRequest.deferred(of: account.identifier, db))
        }
    }

    private func require(_ user: TeamUser) throws {
        try user.require(.seeTesters)
        guard environment == .sandbox else { throw ManagingTesters.noSandbox }
    }
}
