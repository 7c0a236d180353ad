// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import Foundation
import StoreCore
import StoreDatabase

/// Opens the sessions of a ``PostgreSQLDatabase``.
struct SessionOpening: Sendable {
    /// The first version with `pg_xact_status(xid8)` and the other functions
    /// that are used here.
    private static let oldestServer = 13_00_00

    let address: ServerAddress
    let options: PostgreSQLDatabase.Options

    /// Opens a connection, checks the server and configures the session.
    ///
    /// - Throws: ``ServerConnectionError``.
    func open() throws -> Session {
        let connection = try connect()
        let version = Int(PQserverVersion(connection))
        let encoding = PQparameterStatus(connection, "server_encoding").map { String(cString: $0) } ?? "unknown"
        let session = Session(connection)
        guard version >= Self.oldestServer else {
            throw refusal("\(address.name) is PostgreSQL \(version / 10_000); 13 is the oldest that works. Upgrade it.")
        }
        guard encoding == "UTF8" else {
            throw refusal(
                """
                \(address.name) has the encoding \(encoding), and UTF8 is needed. Make the database anew: \
                createdb --encoding UTF8 --template template0 NAME.
                """)
        }
        do {
            try configure(session)
        } catch Failure.lost(let message) {
            throw ServerConnectionError(message, address: address, needsPassword: false)
        } catch Failure.refused(let error, _) {
            throw refusal("\(address.name) can't be used: \(error.message).")
        }
        return session
    }

    private func refusal(_ message: String) -> ServerConnectionError {
        ServerConnectionError(DatabaseError(.other, message))
    }

    /// Limits the time for a lock, for a statement and for an idle
    /// transaction, so that a stopped process can't block others without
    /// limit.
    private func configure(_ session: Session) throws {
        let settings = try Parameters([
            options.statementTimeout.milliseconds, options.lockTimeout.milliseconds,
            options.idleInTransactionTimeout.milliseconds,
        ])
        // With `off` the server would answer before a commit is durable.
        let sql = """
            SELECT set_config('statement_timeout', $1::text, false), set_config('lock_timeout', $2::text, false),
                set_config('idle_in_transaction_session_timeout', $3::text, false),
                set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                    WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)
            """
        _ = try session.perform([.text(sql, settings)])
        session.mark = try? mark(of: session)
    }

    /// Identifies the cluster, its timeline and the server's current run. A
    /// standby that becomes the primary begins a new timeline. A crash, even
    /// of one backend, begins a new run. After either, the server may assign
    /// the number of a lost transaction again, so that a lookup of that number
    /// would return the status of another transaction.
    private func mark(of session: Session) throws -> String? {
        // A server that reinitializes itself after a backend's crash keeps its
        // start time, but resets its statistics.
        let sql = """
            SELECT (SELECT system_identifier FROM pg_control_system()) || ' '
                || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ' ' || pg_postmaster_start_time() || ' '
                || (SELECT coalesce(stats_reset::text, '') FROM pg_stat_bgwriter) AS mark
            """
        return try session.perform([.text(sql)]).first?.rows.first?.get("mark")
    }
}
