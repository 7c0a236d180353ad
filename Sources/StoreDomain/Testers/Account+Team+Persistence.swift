// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Account {
    /// The sandbox's open accounts of a team that follow a place in an order.
    static func page(
        of team: TeamIdentifier, by sort: TesterSort, after place: ListPlace?, limit: Int, _ db: StoreTransaction
    ) throws -> [PlacedEntry<Account>] {
        let sorting = sort.sorting
        return try db.rows(
            """
            SELECT \(columns), account.created_at FROM account
            WHERE environment = 'Sandbox' AND team_id = $1 AND closed_at IS NULL AND \(sorting.condition(from: 3))
            ORDER BY \(sorting.terms) LIMIT $2
            """, [team, limit] + sorting.arguments(after: place)
        ).map { PlacedEntry(value: try Account($0), place: try sorting.place($0)) }
    }

    /// Whether a team has as many open accounts as it may have.
    static func isFull(_ team: TeamIdentifier, _ limit: Int, _ db: StoreTransaction) throws -> Bool {
        try db.row(
            """
            SELECT account_id FROM account WHERE environment = 'Sandbox' AND team_id = $1 AND closed_at IS NULL
            ORDER BY email LIMIT 1 OFFSET $2
            """, [team, limit - 1]) != nil
    }

    /// An open account of a team.
    ///
    /// - Throws: ``DomainError`` `notFound`, also for one of another team.
    static func known(
        _ identifier: AccountIdentifier, of team: TeamIdentifier, _ db: StoreTransaction
    ) throws -> Account {
        guard !identifier.rawValue.utf8.contains(0), let account = try findOpen(identifier, db), account.team == team
        else { throw DomainError(.notFound, "The team has no such tester.") }
        return account
    }
}
