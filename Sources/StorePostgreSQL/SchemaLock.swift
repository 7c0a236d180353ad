// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// The advisory lock for changes of the schema.
enum SchemaLock {
    /// "StoreKit" in ASCII: a number that no other program is likely to use.
    static let number: Int64 = 0x53_74_6F_72_65_4B_69_74

    /// Takes the lock for a session, until the session ends.
    ///
    /// Concurrent changes of the schema would conflict with each other. The
    /// lock is taken before the transaction begins, which therefore sees the
    /// changes of the lock's previous holder. Neither the wait for the lock
    /// nor the statements under it have a time limit. Only their waits for
    /// other locks are limited, because other transactions queue behind such a
    /// wait.
    ///
    /// - Throws: ``Failure``.
    static func take(_ session: Session, _ options: PostgreSQLDatabase.Options) throws {
        _ = try session.perform([
            .text("SET statement_timeout = 0"), .text("SET lock_timeout = 0"),
            .text("SELECT pg_advisory_lock(\(number))"),
            .text("SET lock_timeout = \(options.lockTimeout.milliseconds)"),
        ])
    }

    /// Makes the type `blob`, so that one text of SQL makes the tables of both
    /// engines, and the function `wall_now`, which returns the server's time
    /// on this engine and ignores the caller's.
    static func makeTypes(_ session: Session) throws {
        let isThere: Bool? = try session.perform([
            .text(
                """
                SELECT to_regtype('blob') IS NOT NULL AND to_regprocedure('wall_now(bigint)') IS NOT NULL AS there
                """)
        ])
        .first?.rows.first?.get("there")
        guard isThere != true else { return }
        // Another process may be making them now: the statement checks
        // again once it holds the lock.
        _ = try session.perform([
            .text("BEGIN"), .text("SELECT pg_advisory_xact_lock(\(number))"),
            .text(
                """
                DO $$ BEGIN
                    IF to_regtype('blob') IS NULL THEN CREATE DOMAIN blob AS bytea; END IF;
                    IF to_regprocedure('wall_now(bigint)') IS NULL THEN
                        CREATE FUNCTION wall_now(own_time BIGINT) RETURNS BIGINT LANGUAGE SQL VOLATILE
                        AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT';
                    END IF;
                END $$
                """), .text("COMMIT"),
        ])
    }
}
