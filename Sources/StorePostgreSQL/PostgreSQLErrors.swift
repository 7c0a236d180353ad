// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Converts the server's errors to ``DatabaseError``, with advice for the
/// operator.
///
/// The SQLSTATE selects the error, never the text, which may be translated.
/// The text is copied only where it can't contain a bound value.
struct PostgreSQLErrors: Sendable {
    /// The database's name at the beginning of a message.
    let name: String
    let options: PostgreSQLDatabase.Options

    var closed: DatabaseError { DatabaseError(.closed, "\(name) has been closed.") }

    /// The error for a call that finds too many others of its kind waiting.
    func overloaded(_ kind: PooledWork.Kind) -> DatabaseError {
        kind == .read
            ? .overloaded(name, work: "reads", limit: options.limits.reads)
            : .overloaded(name, work: "writes", limit: options.limits.writes)
    }

    /// The error for a lost connection.
    func lost(_ message: String) -> DatabaseError {
        DatabaseError(
            .unreachable, "The connection to \(name) was lost (\(message)). Nothing was changed; try again.")
    }

    /// The error for a connection that was lost during a commit whose result
    /// could not be looked up.
    var inDoubt: DatabaseError {
        DatabaseError(
            .unreachable,
            """
            The connection to \(name) was lost while committing: the transaction may be committed or not. Repeat the \
            request once the server answers; its identifier keeps it from being done twice.
            """)
    }

    /// The error for a transaction that the server rolled back without an
    /// error.
    var lostTransaction: DatabaseError {
        DatabaseError(.other, "\(name) undid the transaction. Nothing was changed; try again.")
    }

    /// The error for a server that accepts no writes.
    var standby: DatabaseError {
        DatabaseError(
            .readOnly,
            """
            \(name) is a standby, or was made read-only, and can't be written. Name all hosts in the database's URL, \
            separated by commas, so that the one that takes writes is found.
            """)
    }

    func map(_ error: ServerError, access: Access, sql: String? = nil) -> DatabaseError {
        // The statement's text contains no values: those are bound.
        let statement = sql.map { " The statement was: \($0)" } ?? ""
        switch error.state {
        case "23505":
            return DatabaseError(
                .uniqueViolation, "Such a row is there already (\(error.constraint ?? error.message)).\(statement)",
                constraint: error.constraint)
        case _ where error.state.hasPrefix("23"):
            return DatabaseError(.constraintViolation, "\(error.message).\(statement)")
        case "25006" where access == .read:
            return DatabaseError(.readOnly, "A read can't change the database; use write.\(statement)")
        case "22001", "22021", "22P05", "54000":
            return DatabaseError(.value, "A value is too long, or text that can't be stored.\(statement)")
        case _ where error.state.hasPrefix("22"):
            // "invalid input syntax for type bigint: …" contains the value.
            return DatabaseError(.other, "A value isn't of the type that is wanted (\(error.state)).\(statement)")
        default:
            return server(error, statement)
        }
    }

    private func server(_ error: ServerError, _ statement: String) -> DatabaseError {
        switch error.state {
        case "25006": standby
        case "42501":
            DatabaseError(
                .readOnly,
                """
                \(name): the user may not do this (\(error.message)). Make the user the owner of the database, or \
                GRANT the missing rights, CREATE ON SCHEMA public included.\(statement)
                """)
        case "53100":
            DatabaseError(
                .diskFull, "\(name): the server's disk is full. Nothing was changed. Make room and try again.")
        case "55P03":
            DatabaseError(
                .busy,
                """
                \(name): another transaction has held a lock for longer than \(options.lockTimeout). Nothing was \
                changed. Wait until it has finished, or end it, and try again.
                """)
        case "57014":
            DatabaseError(
                .busy,
                """
                \(name): a statement took longer than \(options.statementTimeout). Nothing was changed. Try again when \
                the server has less to do.\(statement)
                """)
        case "40001", "40P01":
            DatabaseError(
                .busy,
                """
                \(name): other transactions were in the way \(options.attempts) times. Nothing was changed. Try again \
                when there are fewer.
                """)
        case "42P01":
            DatabaseError(.table, "\(name): \(error.message).\(statement)")
        case "58030", "XX001", "XX002":
            DatabaseError(
                .notADatabase,
                "\(name) is damaged (\(error.message)). Check the server's disk, and restore a backup.")
        default:
            DatabaseError(.other, "\(name) failed: \(error.message) (\(error.state)).\(statement)")
        }
    }
}

/// The access that a closure has to the database.
enum Access { case read, write }
