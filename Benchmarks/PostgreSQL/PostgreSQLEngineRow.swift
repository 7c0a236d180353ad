// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import Foundation
import StoreDatabase
import StoreDomain
import StorePostgreSQL

/// The cost of the engine: the same statements as a closure and as a script of
/// pgbench, with the same number of clients.
struct PostgreSQLEngineRow: Row {
    static let name = "postgresqlEngine"
    static let summary =
        "write(.account) of the PostgreSQL engine, 16 concurrently, against a pgbench script of the same statements with 16 "
        + "clients on the same cluster"

    private static let clients = 16
    private static let accounts = 1000
    private static let writesEach = 250

    static func compare() async throws -> Comparison {
        let cluster = try BenchmarkCluster()
        let database = try cluster.open(connections: clients)
        try await Schema.migrate(database)
        try await makeTables(database)
        return try await withTemporaryFolder { folder in
            let file = folder.appending(path: "write.pgbench")
            try Data(script.utf8).write(to: file)
            let comparison = try await Comparison(
                Side("writes", operations: clients * writesEach) {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<clients {
                            group.addTask { for _ in 0..<writesEach { try await write(to: database) } }
                        }
                        try await group.waitForAll()
                    }
                },
                against: Side("transactions") { try await cluster.transactions(clients: clients, script: file) })
            try await database.write { connection in
                for table in ["bench_ledger", "bench_purchase", "bench_account"] {
                    try connection.run("DROP TABLE \(table)")
                }
            }
            try database.close()
            return comparison
        }
    }

    private static func makeTables(_ database: PostgreSQLDatabase) async throws {
        try await database.write { connection in
            for sql in [
                "CREATE TABLE bench_account (account_id TEXT PRIMARY KEY, event_number BIGINT NOT NULL)",
                "CREATE TABLE bench_purchase (id TEXT PRIMARY KEY, account_id TEXT NOT NULL, milliunits BIGINT NOT NULL)",
                "CREATE TABLE bench_ledger (id TEXT PRIMARY KEY, account_id TEXT NOT NULL, milliunits BIGINT NOT NULL)",
                "INSERT INTO bench_account SELECT 'a' || i, 0 FROM generate_series(0, \(accounts - 1)) AS i",
            ] {
                try connection.run(sql)
            }
        }
    }

    private static func write(to database: PostgreSQLDatabase) async throws {
        let account = "a\(Int.random(in: 0..<accounts))"
        let identifier = "\(Int64.random(in: 1..<9_000_000_000_000_000_000))"
        try await database.write(.account(account)) { connection in
            guard try connection.row("SELECT milliunits FROM bench_purchase WHERE id = $1", [identifier]) == nil else {
                return
            }
            try connection.run(
                "INSERT INTO bench_purchase (id, account_id, milliunits) VALUES ($1, $2, $3)",
                [identifier, account, 990])
            try connection.run(
                "UPDATE bench_account SET event_number = event_number + 1 WHERE account_id = $1", [account])
            try connection.run(
                "INSERT INTO bench_ledger (id, account_id, milliunits) VALUES ($1, $2, $3)",
                [identifier, account, 990])
        }
    }

    /// The same statements, after the engine's lock of the account.
    private static let script = """
        \\set n random(0, \(accounts - 1))
        \\set i random(1, 9000000000000000000)
        BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE;
        SELECT 1 FROM account WHERE environment IN ('Sandbox', 'Production') AND account_id = 'a' || :n::text \
        FOR NO KEY UPDATE;
        SELECT milliunits FROM bench_purchase WHERE id = :i::text;
        INSERT INTO bench_purchase (id, account_id, milliunits) VALUES (:i::text, 'a' || :n::text, 990);
        UPDATE bench_account SET event_number = event_number + 1 WHERE account_id = 'a' || :n::text;
        INSERT INTO bench_ledger (id, account_id, milliunits) VALUES (:i::text, 'a' || :n::text, 990);
        COMMIT;

        """
}
#endif
