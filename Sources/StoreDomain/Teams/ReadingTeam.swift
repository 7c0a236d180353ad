// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the users, the open invitations and the log of a team.
package struct ReadingTeam: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most users, or changes, of a page.
    package static let pageSize = 50
    /// The most entries that a search reads for one page.
    static let searched = 5000
    static let batch = 500
    /// The bytes of the log's texts after which a search ends a page.
    static let searchedBytes = 2 << 20

    /// A page of a list, and the place after which the next one begins.
    package struct Page<Entry: Sendable, Place: Sendable>: Sendable {
        package var entries: [Entry]
        package var next: Place?

        /// Makes a page; without a place it is the last one.
        package init(entries: [Entry], next: Place? = nil) {
            self.entries = entries
            self.next = next
        }
    }

    /// The users whose name or address contains a text, in an order.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `invalid` for a search of too many words.
    package func users(
        containing text: String = "", by sort: UserSort = .usual, after place: ListPlace? = nil, as user: TeamUser
    ) async throws -> Page<TeamUser, ListPlace> {
        try user.require(.seeUsers)
        let search = try SearchText(text)
        return try await read { db in
            _ = try TeamUser.acting(user, may: .seeUsers, db)
            let sorting = sort.sorting
            let found = try TeamUser.all(of: user.team, db)
                .filter { search.matches([$0.email, $0.name]) }
                .map { PlacedEntry(value: $0, place: $0.place(by: sort)) }
                .filter { entry in place.map { sorting.precedes($0, entry.place) } ?? true }
                .sorted { sorting.precedes($0.place, $1.place) }
            let shown = found.prefix(Self.pageSize)
            return Page(entries: shown.map(\.value), next: found.count > shown.count ? shown.last?.place : nil)
        }
    }

    /// The open invitations, in the order of their addresses.
    ///
    /// - Throws: ``DomainError`` `forbidden`.
    package func invitations(as user: TeamUser) async throws -> [TeamInvitation] {
        try user.require(.seeUsers)
        return try await read { db in
            _ = try TeamUser.acting(user, may: .seeUsers, db)
            return try TeamInvitation.all(of: user.team, db)
        }
    }

    /// A user of the team.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func user(_ identifier: TeamUserIdentifier, as user: TeamUser) async throws -> TeamUser {
        try user.require(.seeUsers)
        return try await read { db in
            _ = try TeamUser.acting(user, may: .seeUsers, db)
            return try TeamUser.known(identifier, of: user.team, db)
        }
    }

    /// The changes before a number whose texts contain all words of a search,
    /// the newest first.
    ///
    /// A page of a search may have fewer entries than there are: it reads at
    /// most ``searched`` entries and about ``searchedBytes``, each batch in a transaction of its own, and `next` continues
    /// after them.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `invalid` for a search of too many words.
    package func changes(
        containing text: String = "", before number: Int64 = .max, as user: TeamUser
    ) async throws -> Page<TeamChange, Int64> {
        try user.require(.readLog)
        let search = try SearchText(text)
        var page = Page<TeamChange, Int64>(entries: [])
        var (place, count, bytes) = (number, 0, 0)
        while count < Self.searched, bytes < Self.searchedBytes {
            // A page without a search is full after its first entries.
            let limit = search.isEmpty ? Self.pageSize : Self.batch / 10
            let batch = try await read { [place] db in
                _ = try TeamUser.acting(user, may: .readLog, db)
                return try TeamChange.page(of: user.team, before: place, limit: limit, db)
            }
            for change in batch {
                place = change.number
                bytes += change.texts.reduce(0) { $0 + $1.utf8.count }
                if search.matches(change.texts) { page.entries.append(change) }
                if page.entries.count == Self.pageSize || bytes >= Self.searchedBytes { break }
            }
            count += batch.count
            if batch.count < limit, batch.last?.number ?? 0 == place || batch.isEmpty { return page }
            if page.entries.count == Self.pageSize { break }
        }
        page.next = place > 1 ? place : nil
        return page
    }
}

extension TeamUser {
    /// The place of the user in a list.
    fileprivate func place(by sort: UserSort) -> ListPlace {
        switch sort {
        case .email: ListPlace(identifier: email)
        case .name: ListPlace(.text(name), identifier: email)
        case .newest: ListPlace(.moment(joined.milliseconds), identifier: email)
        }
    }
}
