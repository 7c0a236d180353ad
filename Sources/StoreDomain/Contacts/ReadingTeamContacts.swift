// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDatabase

/// Reads the contacts that customers have shared with a seller, for the users of the seller's team.
package struct ReadingTeamContacts: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    package typealias Page = ReadingTeam.Page<ListingContacts.Listed, ListingContacts.Position>

    /// The most contacts of a table. A table from the last one's place on has the others.
    package static let tableSize = 10_000

    /// The contacts of an app after a place, oldest first.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound` for an app of another team.
    package func callAsFunction(
        of app: BundleIdentifier, after place: ListingContacts.Position? = nil, as user: TeamUser
    ) async throws -> Page {
        let found = try await contacts(of: app, after: place, limit: ReadingTeam.pageSize + 1, as: user)
        let entries = Array(found.prefix(ReadingTeam.pageSize))
        return Page(entries: entries, next: found.count > entries.count ? entries.last?.position : nil)
    }

    /// The contacts of an app after a place as a table (``CSVText``): the name, the e-mail address, the postcode, the product,
    /// the transaction, and when it was shared. The log of the team has an entry of each table with contacts, which is
    /// saved before the table is given to the user.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound` for an app of another team.
    package func table(
        of app: BundleIdentifier, after place: ListingContacts.Position? = nil, as user: TeamUser
    ) async throws -> Data {
        let found = try await contacts(of: app, after: place, limit: Self.tableSize, as: user)
        if !found.isEmpty { try await note(found.count, after: place, of: app, by: user) }
        let lines = found.map { listed in
            CSVText.line([
                listed.contact.name, listed.contact.email, listed.contact.postcode, listed.product.rawValue,
                listed.transaction.rawValue, StoreTime(milliseconds: listed.shared.milliseconds).iso8601,
            ])
        }
        let names = CSVText.line(["name", "email", "postcode", "product_id", "transaction_id", "shared_at"])
        return Data("\u{FEFF}\(names)\(lines.joined())".utf8)
    }

    private func note(
        _ count: Int, after place: ListingContacts.Position?, of app: BundleIdentifier, by user: TeamUser
    ) async throws {
        let text = place.map { "contacts: \(count), after \($0.text)" } ?? "contacts: \(count)"
        try await write(.team(user.team)) { db in
            let actor = try TeamUser.acting(user, may: .seeContacts, db)
            try TeamChange.append(
                .contactsDownloaded, of: app.rawValue, to: text, by: actor.email, in: actor.team, db)
        }
    }

    private func contacts(
        of app: BundleIdentifier, after place: ListingContacts.Position?, limit: Int, as user: TeamUser
    ) async throws -> [ListingContacts.Listed] {
        try user.require(.seeContacts)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeContacts, db)
            _ = try AppRegistration.known(app, of: actor.team, db)
            return try ListingContacts.page(of: app, after: place, limit: limit, db)
        }
    }
}
