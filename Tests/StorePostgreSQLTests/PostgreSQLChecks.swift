// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreDomain
import StorePostgreSQL
import StoreTestSupport
import Testing

/// Runs the code on an empty database with the tables `fruit` and `account`.
func withFruit(
    _ change: (inout PostgreSQLDatabase.Options) -> Void = { _ in },
    _ body: (PostgreSQLDatabase, _ url: String) async throws -> Void
) async throws {
    let url = try TestCluster.makeDatabase()
    defer { try? TestCluster.removeDatabase(url) }
    let database = try open(url, change)
    try await database.write { connection in
        try connection.makeFruitTable()
        try connection.run(
            """
            CREATE TABLE account (
                environment TEXT, account_id TEXT, bucket BIGINT, PRIMARY KEY (environment, account_id, bucket))
            """)
        for account in ["ann", "bob"] as [AccountIdentifier] {
            try connection.run("INSERT INTO account VALUES ('Sandbox', $1, $2)", [account, account.bucket])
        }
    }
    try await body(database, url)
    try database.close()
}

/// A database whose limits of time a test doesn't reach, unless it sets its own.
func open(
    _ url: String, _ change: (inout PostgreSQLDatabase.Options) -> Void = { _ in }
) throws -> PostgreSQLDatabase {
    var options = PostgreSQLDatabase.Options.patient
    options.connections = 8
    change(&options)
    return try PostgreSQLDatabase(url: url, options: options, random: SystemRandomNumberGenerator())
}

extension Connection {
    func number(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) throws -> Int {
        try #require(try row(sql, arguments)).get("n")
    }
}

/// How many transactions of a database wait for a lock.
func lockWaits(at url: String) throws -> Int {
    try TestCluster.number(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """, at: url)
}

/// Terminates one backend of a database, as a crash would; returns the number
/// of terminated ones.
func killOne(_ url: String) throws -> Int {
    try TestCluster.number(
        """
        SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM (
            SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'openstorekit'
            ORDER BY random() LIMIT 1) AS victim
        """, at: url)
}
