// SPDX-License-Identifier: Apache-2.0

extension ReadingTeam.Page where Place: Equatable {
    /// A page of the entries after a place that match; without a place, from
    /// the beginning of the list.
    ///
    /// It reads at most `ReadingTeam.searched` entries, and `next` continues
    /// after them: a page of a search may have fewer entries than there are.
    /// `reading` reads a batch in a transaction of its own, so that a search
    /// holds no connection of the database. The first one fills the page of a
    /// list in which all entries match.
    init(
        after first: Place?, place: (Entry) -> Place, reading batch: (Place?, Int) async throws -> [Entry],
        matching isWanted: (Entry) -> Bool
    ) async throws {
        self.init(entries: [])
        var (last, count, limit) = (first, 0, ReadingTeam.pageSize + 1)
        while count < ReadingTeam.searched {
            let found = try await batch(last, limit)
            count += found.count
            for entry in found {
                last = place(entry)
                if isWanted(entry) { entries.append(entry) }
                if entries.count == ReadingTeam.pageSize {
                    let isLast = found.count < limit && found.last.map(place) == last
                    next = isLast ? nil : last
                    return
                }
            }
            if found.count < limit { return }
            limit = ReadingTeam.batch
        }
        next = last
    }
}

extension ReadingTeam.Page where Place == ListPlace {
    /// A page of the entries after a place that match, without their places.
    init(
        after first: ListPlace?, reading batch: (ListPlace?, Int) async throws -> [PlacedEntry<Entry>],
        matching isWanted: (Entry) -> Bool
    ) async throws {
        let page = try await ReadingTeam.Page<PlacedEntry<Entry>, ListPlace>(
            after: first, place: { $0.place }, reading: batch, matching: { isWanted($0.value) })
        self.init(entries: page.entries.map(\.value), next: page.next)
    }
}
