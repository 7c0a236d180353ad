// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the teams of Connect that have been set up.
package struct ListingTeams: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most teams of a page.
    package static let pageSize = 200

    /// The teams whose identifiers follow `team`, in their order, with the
    /// numbers of their users.
    package func callAsFunction(
        after team: TeamIdentifier = ""
    ) async throws -> [(team: Team, users: Int)] {
        try await read { db in
            try Team.page(after: team, limit: Self.pageSize, db).map { ($0, try TeamUser.count(of: $0.identifier, db)) }
        }
    }
}
