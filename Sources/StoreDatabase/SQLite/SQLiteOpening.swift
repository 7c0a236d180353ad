// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// Opens the connections of a ``SQLiteDatabase``.
struct SQLiteOpening {
    let location: SQLiteDatabase.Location
    let busyTimeout: Duration
    let errors: SQLiteErrors

    /// Closing a file takes away all locks that this process holds on it
    /// (POSIX), so another thread mustn't open a file that is being made here.
    private static let making = NSLock()

    func open() throws -> any DatabaseWriter {
        do {
            guard let path = location.path else {
                return try DatabaseQueue(configuration: configuration)
            }
            try Self.making.withLock { try SQLiteFile(path: path).makeIfMissing() }
            return try openPool(path)
        } catch {
            throw errors.map(error)
        }
    }

    /// Two processes that turn a new file's write-ahead log on at the same
    /// time are told at once that the file is busy, whatever the timeout.
    private func openPool(_ path: String) throws -> DatabasePool {
        let deadline = ContinuousClock.now + busyTimeout
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration)
                try pool.writeWithoutTransaction { connection in
                    // GRDB turns it down to NORMAL, with which a power cut
                    // undoes commits that have been answered.
                    try connection.execute(sql: "PRAGMA synchronous = FULL")
                    // A process that was killed while it committed may have
                    // left a commit that nobody has flushed. SQLite shows it;
                    // who acts on it must find it after a power cut, too. A
                    // checkpoint flushes the log; where another process is at
                    // one, that does.
                    try connection.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
                }
                return pool
            } catch GRDB.DatabaseError.SQLITE_BUSY where ContinuousClock.now < deadline {
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "StoreDatabase"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        // Opening a connection anew for a read costs more than it holds.
        configuration.persistentReadOnlyConnections = true
        return configuration
    }
}
