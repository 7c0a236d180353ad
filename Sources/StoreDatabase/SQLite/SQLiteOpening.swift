// SPDX-License-Identifier: Apache-2.0

import CStoreDatabase
import Foundation
import GRDB
import GRDBSQLite

/// Opens the connections of a ``SQLiteDatabase``.
struct SQLiteOpening {
    let location: SQLiteDatabase.Location
    let busyTimeout: Duration
    let errors: SQLiteErrors

    /// Serializes making files. Closing a file releases all locks that this
    /// process holds on it (POSIX), including those of a database that another
    /// thread has opened on the same file.
    private static let making = NSLock()

    /// Prepares SQLite once, before its first use in this process.
    private static let isPrepared: Bool = {
        store_sqlite_stop_counting_memory()
        return true
    }()

    func open() throws -> any DatabaseWriter {
        _ = Self.isPrepared
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

    /// Opens a file. When two processes switch a new file to write-ahead
    /// logging at the same time, SQLite returns SQLITE_BUSY without waiting
    /// for its busy timeout; this method repeats the attempt until the
    /// timeout.
    private func openPool(_ path: String) throws -> DatabasePool {
        let deadline = ContinuousClock.now + busyTimeout
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration)
                try pool.writeWithoutTransaction { connection in
                    // GRDB sets NORMAL, with which a power failure can undo
                    // commits whose writes have returned.
                    try connection.execute(sql: "PRAGMA synchronous = FULL")
                    // A process that is killed during a commit may leave a
                    // commit in the log that isn't flushed. SQLite shows that
                    // commit, and a caller that acts on it must find it after
                    // a power failure, too. A checkpoint flushes the log. If
                    // another process is running a checkpoint, that one
                    // flushes it.
                    try connection.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
                }
                return pool
            } catch GRDB.DatabaseError.SQLITE_BUSY where ContinuousClock.now < deadline {
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    /// `wall_now`: the caller's own time, because all processes of a SQLite
    /// database run on one machine.
    private static let wallNow = DatabaseFunction("wall_now", argumentCount: 1, pure: true) { $0.first }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "StoreDatabase"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        // Opening a connection for each read costs more than keeping it open.
        configuration.persistentReadOnlyConnections = true
        configuration.prepareDatabase { database in
            database.add(function: Self.wallNow)
            // While SQLite compiles a statement, GRDB derives the tables and
            // columns that its observers want to know. It takes longer than
            // the compilation, and there are no observers.
            sqlite3_set_authorizer(database.sqliteConnection, nil, nil)
        }
        return configuration
    }
}
