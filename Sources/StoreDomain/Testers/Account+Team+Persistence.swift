// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Account {
    /// The open accounts of a team with the addresses that follow one, in their
    /// order.
    static func page(
        of team: TeamIdentifier, after email: String, limit: Int, _ db: StoreTransaction
    ) throws -> [Account] {
        try db.rows(
            """
            SELECT \(columns) FROM account
            WHERE environment = $1 AND team_id = $2 AND email > $3 AND closed_at IS NULL
            ORDER BY email LIMIT $4
            """, [db.environment.rawValue, team, email, limit]
        ).map(Account.init)
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
