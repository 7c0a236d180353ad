// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The lock of those who change the schema.
enum SchemaLock {
    /// "StoreKit" in ASCII: a number that no other program is likely to use.
    static let number: Int64 = 0x53_74_6F_72_65_4B_69_74

    /// Takes the lock for a session, until it ends.
    ///
    /// Two that change the schema at once would run into each other's tables.
    /// The lock comes before the transaction, which then sees what the one
    /// before it did. It is waited for as long as it takes, and so are the
    /// statements under it, but they don't keep everybody waiting behind them.
    ///
    /// - Throws: ``Failure``.
    static func take(_ session: Session, _ options: PostgreSQLDatabase.Options) throws {
        _ = try session.perform([
            .text("SET statement_timeout = 0"), .text("SET lock_timeout = 0"),
            .text("SELECT pg_advisory_lock(\(number))"),
            .text("SET lock_timeout = \(options.lockTimeout.milliseconds)"),
        ])
    }

    /// Gives bytes the name that SQLite knows them by. One text of SQL then
    /// makes the tables of both engines.
    static func makeTypes(_ session: Session) throws {
        let isThere: Bool? = try session.perform([.text("SELECT to_regtype('blob') IS NOT NULL AS there")])
            .first?.rows.first?.get("there")
        guard isThere != true else { return }
        // Another server may be making it now: the one that comes second sees
        // it once it has the lock.
        _ = try session.perform([
            .text("BEGIN"), .text("SELECT pg_advisory_xact_lock(\(number))"),
            .text(
                """
                DO $$ BEGIN
                    IF to_regtype('blob') IS NULL THEN CREATE DOMAIN blob AS bytea; END IF;
                END $$
                """), .text("COMMIT"),
        ])
    }
}
