// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Publishes versions of the contract, and lists which teams have one in
/// force. The operator does both.
package struct PublishingContract: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A team with the state of its contract.
    package struct Entry: Hashable, Sendable {
        package var team: Team
        package var accepted: ContractAcceptance?
        package var missing: [TeamAgreements.Missing]
    }

    /// The largest number of teams of a page.
    package static let pageSize = 100

    /// Publishes a version.
    ///
    /// The teams have `days` until the earlier one isn't in force any more;
    /// the first version is due when it is published. The text that is the
    /// newest version's publishes nothing.
    ///
    /// - Throws: ``DomainError`` `invalid`: an empty or too long text, or
    ///   another number of days than 0 to ``Contract/longestNotice``.
    @discardableResult
    package func callAsFunction(_ text: String, days: Int) async throws -> Contract {
        let text = text.replacing("\r\n", with: "\n").trimmingWhitespace()
        guard !text.isEmpty, text.count <= Contract.longest, text.utf8.count <= Contract.longest * 4 else {
            throw DomainError(.invalid, "A contract has 1 to \(Contract.longest) characters: give such a text.")
        }
        guard (0...Contract.longestNotice).contains(days) else {
            throw DomainError(.invalid, "The notice is 0 to \(Contract.longestNotice) days: give such a number.")
        }
        return try await write(.contract) { db in
            let newest = try Contract.newest(db)
            // The closure runs again after a lost commit.
            if let newest, newest.text == text { return newest }
            guard newest?.number ?? 0 < Contract.versions else {
                throw DomainError(.invalid, "A store has at most \(Contract.versions) versions of its contract.")
            }
            let due = newest == nil ? db.now : db.now + .seconds(days * 86_400)
            let contract = Contract(number: (newest?.number ?? 0) + 1, text: text, published: db.now, due: due)
            try contract.insert(db)
            return contract
        }
    }

    /// The newest version; `nil` before the first one.
    package func newest() async throws -> Contract? {
        try await read { db in try Contract.newest(db) }
    }

    /// The teams with the identifiers that follow one, in their order.
    package func teams(after team: TeamIdentifier = "") async throws -> [Entry] {
        try await read { db in
            try Team.page(after: team, limit: Self.pageSize, db).map { team in
                let agreements = try TeamAgreements.find(of: team.identifier, db)
                return Entry(team: team, accepted: agreements.accepted, missing: agreements.missing)
            }
        }
    }
}
