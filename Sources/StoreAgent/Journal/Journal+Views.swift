// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension Journal {
    /// The point up to which a subscriber has read the queue.
    struct Seen: Sendable, Hashable {
        /// The number of the last change.
        var change: Int64 = 0
        /// The number of entries that were deleted by then.
        var departures: Int64 = 0
        /// The number of the last change of a download.
        var download: Int64 = 0
    }

    /// The changes since a subscriber read the queue last.
    struct Changes: Sendable {
        /// The changed entries, oldest change first, at most a batch.
        var entries: [JournalEntry]
        /// Whether there are no more changed entries.
        var isWhole: Bool
        /// The point after which the next changes are read.
        var seen: Seen
        /// The identifiers of all entries, if any entry was deleted since.
        var present: Set<String>?
        /// The changed downloads, oldest change first, at most a batch. There
        /// are none before all changed entries are read.
        var downloads: [DownloadView] = []
    }

    /// The journal as one round of delivery reads it.
    struct View: Sendable {
        /// By the point of a subscriber: the changes since.
        var changes: [Seen: Changes]
        /// The restores with transactions that wait for a receipt.
        var unready: Set<String>
        /// The app requests of the process.
        var appRequests: [AppRequest]
        /// The processes that are recorded for the queue, living or not.
        var processes: QueueProcesses
        /// The revocations that the app hasn't acknowledged.
        var revocations: [RevokedProduct]
        var storefront: StorefrontInfo?
        /// The price increases that wait for the customer's consent; `nil`
        /// when the store hasn't sent them.
        var priceIncreases: [String]?
    }

    /// Reads the changes since some points, and the journal's other news for
    /// a process, in one transaction.
    func view(for process: String, since points: Set<Seen>, batch: Int) throws -> View {
        try database.read { connection in
            let state = try JournalState.load(connection)
            let changes = try points.map { ($0, try Self.changes(connection, since: $0, batch: batch)) }
            return View(
                changes: Dictionary(uniqueKeysWithValues: changes), unready: try Self.unreadyRestores(connection),
                appRequests: try AppRequest.load(connection).filter { $0.process == process },
                processes: try Self.processes(connection),
                revocations: try RevokedProduct.load(connection, knownTo: state.receipt), storefront: state.storefront,
                priceIncreases: state.priceIncreases)
        }
    }

    /// Reads the changes since a point, at most one batch, so that the memory
    /// use doesn't grow with the queue.
    private static func changes(_ connection: any Connection, since seen: Seen, batch: Int) throws -> Changes {
        let (entries, last) = try JournalEntry.changed(connection, after: seen.change, limit: batch)
        let departures: Int64 = try connection.row("SELECT departures FROM journal")?.get("departures") ?? 0
        var changes = Changes(
            entries: entries, isWhole: entries.count < batch,
            seen: Seen(change: last, departures: departures, download: seen.download),
            present: departures == seen.departures ? nil : try identifiers(connection))
        if changes.isWhole {
            (changes.downloads, changes.seen.download) = try DownloadView.changed(
                connection, after: seen.download, limit: batch)
            changes.isWhole = changes.downloads.count < batch
        }
        return changes
    }

    /// All entries that an app may see, oldest first, and the processes that
    /// are recorded for the queue.
    func whole() throws -> (entries: [JournalEntry], processes: QueueProcesses) {
        try database.read { connection in
            (try JournalEntry.loadShown(connection), try Self.processes(connection))
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

    /// Deletes revocations that the app has received.
    func forget(_ revocations: [RevokedProduct]) throws {
        try database.write { connection in
            for revocation in revocations { try revocation.delete(connection) }
        }
    }

    /// Records a process as the holder of entries before it delivers them.
    ///
    /// The processes are read in the same transaction, so that no two
    /// processes take the same entry: a process that isn't known to be dead
    /// may have begun to observe meanwhile.
    func take(_ identifiers: [String], for process: String, dead: Set<String>) throws -> [JournalEntry] {
        try database.write { connection in
            let claim = Claim(try Self.processes(connection), of: process) { !dead.contains($0) }
            guard claim.observers.contains(process) else { return [] }
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
