// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension Journal {
    /// The point up to which a process has read the queue.
    struct Seen: Sendable, Hashable {
        /// The number of the last change.
        var change: Int64 = 0
        /// The number of entries that were deleted by then.
        var departures: Int64 = 0
    }

    /// The changes since a process read the journal last.
    struct View: Sendable {
        /// The changed entries, oldest change first, at most a batch.
        var entries: [JournalEntry]
        /// Whether there are no more changed entries.
        var isWhole: Bool
        /// The point after which the next view continues.
        var seen: Seen
        /// The identifiers of all entries, if any entry was deleted since.
        var present: Set<String>?
        /// The restores with transactions that wait for a receipt.
        var unready: Set<String>
        /// The app requests of the process.
        var appRequests: [AppRequest]
        /// The processes that are recorded as observers, living or not.
        var observers: [String]
        /// The revocations to deliver to the app.
        var revocations: [Revocation]
        var storefront: StorefrontInfo?
    }

    /// The synchronizer's work.
    struct Workload: Sendable {
        var entries: [JournalEntry]
        var appRequests: [AppRequest]
        var needsReceipts: Bool
        var needsKeyValues: Bool
    }

    /// Reads the changes since a point, at most one batch, so that the memory
    /// use doesn't grow with the queue.
    func view(for process: String, since seen: Seen, batch: Int) throws -> View {
        try database.read { connection in
            let state = try JournalState.load(connection)
            let (entries, last) = try JournalEntry.changed(connection, after: seen.change, limit: batch)
            let departures: Int64 = try connection.row("SELECT departures FROM journal")?.get("departures") ?? 0
            return View(
                entries: entries, isWhole: entries.count < batch, seen: Seen(change: last, departures: departures),
                present: departures == seen.departures ? nil : try Self.identifiers(connection),
                unready: try Self.unreadyRestores(connection),
                appRequests: try AppRequest.load(connection).filter { $0.process == process },
                observers: try Self.observers(connection),
                revocations: try Revocation.load(connection, knownTo: state.receipt), storefront: state.storefront)
        }
    }

    /// All entries that an app may see, oldest first, and the processes that
    /// observe.
    func whole() throws -> (entries: [JournalEntry], observers: [String]) {
        try database.read { connection in
            (try JournalEntry.loadShown(connection), try Self.observers(connection))
        }
    }

    private static func identifiers(_ connection: any Connection) throws -> Set<String> {
        Set(try connection.rows("SELECT identifier FROM entry").map { try $0.get("identifier") })
    }

    private static func unreadyRestores(_ connection: any Connection) throws -> Set<String> {
        let rows = try connection.rows(
            "SELECT DISTINCT restore FROM entry WHERE phase = $1 AND restore IS NOT NULL",
            [JournalEntry.Phase.arrived.rawValue])
        return Set(try rows.map { try $0.get("restore") })
    }

    func workload() async throws -> Workload {
        try await database.read { connection in
            let phases: [JournalEntry.Phase] = [.added, .sending, .waiting, .deferred, .finished]
            return Workload(
                entries: try JournalEntry.load(connection, in: phases), appRequests: try AppRequest.load(connection),
                needsReceipts: try !Self.wantedReceipts(connection).isEmpty,
                needsKeyValues: try Self.needsKeyValues(connection))
        }
    }

    /// Deletes revocations that were delivered to the app.
    func forget(_ revocations: [Revocation]) throws {
        try database.write { connection in
            for revocation in revocations { try revocation.delete(connection) }
        }
    }

    /// Records a process as the holder of entries before it delivers them.
    ///
    /// The observers are read in the same transaction, so that no two
    /// processes take the same entry: a process that isn't known to be dead
    /// may have begun to observe meanwhile.
    func take(_ identifiers: [String], for process: String, dead: Set<String>) throws -> [JournalEntry] {
        try database.write { connection in
            let observers = Set(try Self.observers(connection)).subtracting(dead)
            guard observers.contains(process) else { return [] }
            let claim = Claim(process: process, observers: observers)
            return try identifiers.compactMap { identifier in
                guard var entry = try JournalEntry.load(connection, identifier), claim.mayTake(entry) else {
                    return nil
                }
                entry.holder = claim.process
                try JournalEntry.hold(connection, identifier, by: claim.process)
                return entry
            }
        }
    }
}
