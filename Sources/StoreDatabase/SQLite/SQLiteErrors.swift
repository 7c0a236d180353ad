// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Converts SQLite's errors to ``DatabaseError``, with advice for the
/// operator.
///
/// GRDB's error contains the bound values. Only its code, SQLite's message and
/// the statement are copied.
struct SQLiteErrors: Sendable {
    let location: SQLiteDatabase.Location
    let busyTimeout: Duration

    var closed: DatabaseError { DatabaseError(.closed, "\(location.name) has been closed.") }

    /// The error for a call that finds `limit` others waiting.
    func overloaded(work: String, _ limit: Int) -> DatabaseError {
        .overloaded(location.name, work: work, limit: limit)
    }

    /// The error for a transaction that ended without a reported error.
    var lostTransaction: DatabaseError {
        DatabaseError(.other, "\(location.name) undid the transaction. Nothing was changed; try again.")
    }

    func map(_ error: any Error) -> any Error {
        map(error, access: .write, in: nil)
    }

    /// Converts an error and looks up the violated index's name in `database`,
    /// the connection that failed.
    func map(_ error: any Error, access: SQLiteConnection.Access, in database: GRDB.Database?) -> any Error {
        guard let error = error as? GRDB.DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_CONSTRAINT:
            return constraint(error, in: database)
        case .SQLITE_READONLY where access == .read:
            return DatabaseError(.readOnly, "A read can't change the database; use write.\(statement(of: error))")
        default:
            return file(error)
        }
    }

    private func constraint(_ error: GRDB.DatabaseError, in database: GRDB.Database?) -> DatabaseError {
        let message = error.message ?? "a constraint is violated"
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
            let name = database.flatMap { UniqueIndex(message: message)?.name(in: $0) }
            return DatabaseError(
                .uniqueViolation, "Such a row is there already (\(name ?? message)).\(statement(of: error))",
                constraint: name)
        default:
            return DatabaseError(.constraintViolation, "\(message).\(statement(of: error))")
        }
    }

    private func file(_ error: GRDB.DatabaseError) -> DatabaseError {
        let name = location.name
        switch error.resultCode {
        case .SQLITE_BUSY:
            return DatabaseError(
                .busy,
                """
                \(name) has been locked by another process for longer than \(busyTimeout). Nothing was changed. \
                Wait until that process has finished, or end it, and try again.
                """)
        case .SQLITE_FULL:
            return DatabaseError(
                .diskFull, "\(name) can't grow: the disk is full. Nothing was changed. Make room and try again.")
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            return DatabaseError(
                .notADatabase,
                """
                \(name) isn't a SQLite database, or is damaged (\(error.message ?? "no details")). \
                Move the file away and restore a backup.
                """)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            return DatabaseError(
                .readOnly,
                """
                \(name) can't be opened for writing (\(error.message ?? "no details")). Make the file and its folder \
                readable and writable for the user who runs this process.
                """)
        case .SQLITE_IOERR:
            return DatabaseError(
                .other,
                """
                \(name) couldn't be read or written (\(error.message ?? "no details"), code \
                \(error.extendedResultCode.rawValue)). The last write may or may not be there. Check the disk.
                """)
        case .SQLITE_ERROR where error.message?.hasPrefix("no such table: ") == true:
            return DatabaseError(.table, "\(name) has \(error.message ?? "no such table").\(statement(of: error))")
        case .SQLITE_MISUSE where error.message == "Connection is closed":
            return closed
        default:
            return DatabaseError(
                .other, "\(name) failed: \(error.message ?? "\(error.extendedResultCode)").\(statement(of: error))")
        }
    }

    /// The statement's text, which contains no values: those are bound.
    private func statement(of error: GRDB.DatabaseError) -> String {
        error.sql.map { " The statement was: \($0)" } ?? ""
    }
}
