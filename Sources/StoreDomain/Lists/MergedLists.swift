// SPDX-License-Identifier: Apache-2.0

/// Sorted lists as one sorted list. Each is read in steps, of which the last
/// one has fewer entries than a batch, and only as far as the merged list is
/// read.
struct MergedLists<Entry> {
    /// A list that is read in steps.
    struct Source {
        let batch: Int
        /// The entries after one, at most a batch; from the first one on for
        /// `nil`.
        let next: (Entry?) throws -> [Entry]

        init(batch: Int, next: @escaping (Entry?) throws -> [Entry]) {
            (self.batch, self.next) = (batch, next)
        }
    }

    private struct List {
        let source: Source
        /// The entries that were read and not taken, in the opposite order.
        var entries: [Entry]
        var last: Entry?
        var isWhole: Bool

        init(_ source: Source) throws {
            self.source = source
            (entries, isWhole) = ([], false)
            try read()
        }

        mutating func read() throws {
            let found = try source.next(last)
            (last, isWhole) = (found.last ?? last, found.count < source.batch)
            entries = found.reversed()
        }
    }

    private var lists: [List]
    private let precedes: (Entry, Entry) -> Bool

    /// Reads the first step of each list.
    init(_ sources: [Source], by precedes: @escaping (Entry, Entry) -> Bool) throws {
        lists = try sources.map(List.init)
        self.precedes = precedes
    }

    /// Takes the next entry of all lists; `nil` after the last one.
    mutating func next() throws -> Entry? {
        let heads = lists.indices.compactMap { index in lists[index].entries.last.map { (index, $0) } }
        guard let (index, entry) = heads.min(by: { precedes($0.1, $1.1) }) else { return nil }
        lists[index].entries.removeLast()
        if lists[index].entries.isEmpty, !lists[index].isWhole { try lists[index].read() }
        return entry
    }
}
