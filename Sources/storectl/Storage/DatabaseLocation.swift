// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreDomain

#if POSTGRESQL
import StorePostgreSQL
#endif

/// The location of a store's database: `sqlite:PATH`, or the address of a
/// PostgreSQL server.
enum DatabaseLocation: Hashable {
    case memory
    case sqlite(path: String)
    case postgresql(url: String)

    /// Reads a location; `nil` for anything else.
    init?(_ text: String) {
        if text.hasPrefix("sqlite:"), text.count > "sqlite:".count {
            self = .sqlite(path: String(text.dropFirst("sqlite:".count)))
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgresql(url: text)
        } else {
            return nil
        }
    }

    /// Whether several nodes can serve a store on the database.
    var isShared: Bool {
        if case .postgresql = self { true } else { false }
    }

    /// Whether there is a file of an SQLite database.
    var exists: Bool {
        if case .sqlite(let path) = self { FileManager.default.fileExists(atPath: path) } else { false }
    }

    /// Whether this is the same database as another location, also if the
    /// paths of two files are spelled differently.
    func isSame(as other: DatabaseLocation) -> Bool {
        guard case .sqlite(let path) = self, case .sqlite(let otherPath) = other else { return self == other }
        return URL(fileURLWithPath: path).standardizedFileURL == URL(fileURLWithPath: otherPath).standardizedFileURL
    }

    /// Opens the database without migrating or checking it.
    ///
    /// - Throws: ``CommandFailure`` when this build doesn't have the engine,
    ///   `DatabaseError` when the database can't be opened.
    func open() throws -> any Database {
        switch self {
        case .memory: return try SQLiteDatabase(.memory)
        case .sqlite(let path): return try SQLiteDatabase(.file(path))
        case .postgresql(let url):
            #if POSTGRESQL
            return try PostgreSQLDatabase(
                url: url, options: PostgreSQLDatabase.Options(accountLock: Schema.accountLock),
                random: SystemRandomNumberGenerator())
            #else
            _ = url
            throw CommandFailure(
                """
                This storectl was built without PostgreSQL, as that of the tar file and of pip is. The Debian package \
                openstorekit has it, and so does a build on a machine with libpq-dev.
                """)
            #endif
        }
    }

    /// The channel to the other processes that use the database; `nil` for
    /// one that a single process uses.
    ///
    /// - Throws: `DatabaseError` when it can't be made.
    func notifications() throws -> (any NotificationChannel)? {
        #if POSTGRESQL
        if case .postgresql(let url) = self { return try PostgreSQLNotifications(url: url) }
        #endif
        return nil
    }

    /// Checks that the database file exists, because opening it would create
    /// it.
    ///
    /// - Throws: ``CommandFailure``.
    func expectFile() throws {
        if case .sqlite(let path) = self, !exists {
            throw CommandFailure("There is no file \(path).")
        }
    }

    /// Locks an SQLite database, so that only one process serves or copies
    /// it: announcements of commits reach the streams of one process only.
    ///
    /// - Throws: ``StoreLock/Taken`` when another process has the lock,
    ///   ``CommandFailure`` when the file can't be made.
    func lock() throws -> StoreLock? {
        guard case .sqlite(let path) = self else { return nil }
        return try StoreLock(path: path + ".lock", of: path)
    }
}

/// The system's `open`, outside of the types whose own `open` would hide it.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    open(path, flags, mode)
}

/// An exclusive lock on a file, which is released when the value is destroyed
/// or the process ends.
final class StoreLock: Sendable {
    /// Another process has the lock.
    struct Taken: Error, CustomStringConvertible {
        var database: String

        var description: String { "Another storectl uses \(database): stop it first, or choose another folder." }
    }

    private let descriptor: Int32

    fileprivate init(path: String, of database: String) throws {
        descriptor = openFile(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure("The file \(path) can't be made: \(String(cString: strerror(errno))).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw Taken(database: database)
        }
    }

    deinit {
        close(descriptor)
    }
}
