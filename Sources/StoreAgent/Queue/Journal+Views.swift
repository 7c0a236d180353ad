// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI
internal import StoreDatabase

extension Journal {
    /// How much of the queue a process has seen.
    struct Seen: Sendable, Hashable {
        /// The number of the last change.
        var change: Int64 = 0
        /// How many entries had left the journal.
        var departures: Int64 = 0
    }

    /// What a process delivers from: what has changed since it looked last.
    struct View: Sendable {
        /// Entries that have changed, oldest change first, at most a batch.
        var entries: [QueueEntry]
        /// Whether there are no more of them.
        var isWhole: Bool
        /// Where to go on from.
        var seen: Seen
        /// The names of all entries there are, when some have left.
        var present: Set<String>?
        /// The restores that have brought something whose receipt isn't here.
        var unready: Set<String>
        /// The errands of the process.
        var errands: [Errand]
        /// The processes that have said that they observe, living or not.
        var observers: [String]
        /// What the customer has no right to any more, and the app has to be
        /// told of.
        var revocations: [Revocation]
        var storefront: StorefrontInfo?
    }

    /// What the talker has to do.
    struct Workload: Sendable {
        var entries: [QueueEntry]
        var errands: [Errand]
        var needsReceipts: Bool
        var needsKeyValues: Bool
    }

    /// Reads what has changed, a batch at a time: the memory that it takes
    /// doesn't grow with the queue.
    func view(for process: String, since seen: Seen, batch: Int) throws -> View {
        try database.read { connection in
            let state = try JournalState.load(connection)
            let (entries, last) = try QueueEntry.changed(connection, after: seen.change, limit: batch)
            let departures: Int64 = try connection.row("SELECT departures FROM journal")?.get("departures") ?? 0
            return View(
                entries: entries, isWhole: entries.count < batch, seen: Seen(change: last, departures: departures),
                present: departures == seen.departures ? nil : try Self.identifiers(connection),
                unready: try Self.unreadyRestores(connection),
                errands: try Errand.load(connection).filter { $0.process == process },
                observers: try Self.observers(connection),
                revocations: try Revocation.load(connection, knownTo: state.receipt), storefront: state.storefront)
        }
    }

    /// Every entry that an app may see, oldest first, and who observes.
    func whole() throws -> (entries: [QueueEntry], observers: [String]) {
        try database.read { connection in
            (try QueueEntry.loadShown(connection), try Self.observers(connection))
        }
    }

    private static func identifiers(_ connection: any Connection) throws -> Set<String> {
        Set(try connection.rows("SELECT identifier FROM entry").map { try $0.get("identifier") })
    }

    private static func unreadyRestores(_ connection: any Connection) throws -> Set<String> {
        let rows = try connection.rows(
            "SELECT DISTINCT restore FROM entry WHERE phase = $1 AND restore IS NOT NULL",
            [QueueEntry.Phase.arrived.rawValue])
        return Set(try rows.map { try $0.get("restore") })
    }

    func workload() async throws -> Workload {
        try await database.read { connection in
            let phases: [QueueEntry.Phase] = [.added, .sending, .waiting, .deferred, .finished]
            return Workload(
                entries: try QueueEntry.load(connection, in: phases), errands: try Errand.load(connection),
                needsReceipts: try !Self.wantedReceipts(connection).isEmpty,
                needsKeyValues: try Self.needsKeyValues(connection))
        }
    }

    /// Forgets revocations that the app was told of.
    func forget(_ revocations: [Revocation]) throws {
        try database.write { connection in
            for revocation in revocations { try revocation.delete(connection) }
        }
    }

    /// Takes entries for a process before it shows them, in one write, so
    /// that no two processes show the same. Who observes is read in the same
    /// write: whoever isn't known to be dead may have begun meanwhile.
    func take(_ identifiers: [String], for process: String, dead: Set<String>) throws -> [QueueEntry] {
        try database.write { connection in
            let observers = Set(try Self.observers(connection)).subtracting(dead)
            guard observers.contains(process) else { return [] }
            let claim = Claim(process: process, observers: observers)
            return try identifiers.compactMap { identifier in
                guard var entry = try QueueEntry.load(connection, identifier), claim.mayTake(entry) else { return nil }
                entry.holder = claim.process
                try QueueEntry.hold(connection, identifier, by: claim.process)
                return entry
            }
        }
    }
}
