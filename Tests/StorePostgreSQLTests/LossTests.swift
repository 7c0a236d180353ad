// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StorePostgreSQL
import StoreTestSupport
import Testing

@Suite(.enabled(if: TestCluster.url != nil, "there is no PostgreSQL"))
struct LossTests {
    @Test("1,000 writes by 8 clients whose connections are killed: nothing lost, nothing twice")
    func killing() async throws {
        try await withFruit { database, url in
            try await database.write { connection in
                try connection.run("CREATE TABLE purchase (id TEXT PRIMARY KEY, account TEXT NOT NULL)")
                try connection.run("CREATE TABLE balance (account TEXT PRIMARY KEY, amount BIGINT NOT NULL)")
                try connection.run("INSERT INTO balance VALUES ('ann', 0), ('bob', 0)")
            }
            let runs = Log()
            let kills = Log()

            @Sendable func buy(_ id: String, for account: String, _ connection: any Connection) throws {
                runs.add(1)
                guard try connection.row("SELECT 1 FROM purchase WHERE id = $1", [id]) == nil else { return }
                try connection.run("INSERT INTO purchase VALUES ($1, $2)", [id, account])
                try connection.run("UPDATE balance SET amount = amount + 1 WHERE account = $1", [account])
            }

            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<8 {
                    group.addTask {
                        for number in 0..<125 {
                            let (id, account) = ("\(client)-\(number)", number % 2 == 0 ? "ann" : "bob")
                            if client % 4 == 3 {
                                try await database.write { try buy(id, for: account, $0) }
                            } else {
                                try await database.write(.account(account)) { try buy(id, for: account, $0) }
                            }
                            guard Int.random(in: 0..<4) == 0 else { continue }
                            kills.add(try killOne(url))
                        }
                    }
                }
                try await group.waitForAll()
            }

            let (count, sum) = try await database.read { connection in
                (
                    try connection.number("SELECT count(*) AS n FROM purchase"),
                    try connection.number("SELECT sum(amount) AS n FROM balance")
                )
            }
            #expect(count == 1000 && sum == 1000)
            #expect(kills.sum > 100)
            #expect(runs.sum >= 1000)
        }
    }

    @Test("The server commits and the answer is lost: the client looks it up, and doesn't do it twice")
    func committedUnheard() async throws {
        try await throughProxy { database, proxy in
            let runs = Log()
            proxy.cutNextCommit(.after)
            let answer = try await database.write { connection in
                let run = runs.add(1)
                try connection.run("UPDATE fruit SET weight = weight + 1")
                return run
            }

            #expect(answer == 1 && proxy.cuts == 1)
            #expect(runs.sum == 1)
            #expect(try await database.read { try $0.number("SELECT weight AS n FROM fruit") } == 1)
        }
    }

    @Test("The server never gets the commit: the closure runs again")
    func neverCommitted() async throws {
        try await throughProxy { database, proxy in
            let runs = Log()
            proxy.cutNextCommit(.before)
            let answer = try await database.write(.account("ann")) { connection in
                let run = runs.add(1)
                try connection.run("UPDATE fruit SET weight = weight + 1")
                return run
            }

            #expect(answer == 2 && proxy.cuts == 1)
            #expect(try await database.read { try $0.number("SELECT weight AS n FROM fruit") } == 1)
        }
    }

    @Test("A backend killed while it commits has changed nothing, and does it again")
    func killedInCommit() async throws {
        try await withFruit { database, url in
            // A deferred trigger runs inside COMMIT, and waits there for a lock.
            try await database.write { connection in
                try connection.run(
                    """
                    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$
                    """)
                try connection.run(
                    """
                    CREATE CONSTRAINT TRIGGER waiting AFTER INSERT ON fruit DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION wait()
                    """)
            }
            let gate = Gate()
            let other = try open(url)
            async let holding: Void = other.write { connection in
                _ = try connection.rows("SELECT pg_advisory_xact_lock(1)")
                gate.hold()
            }
            try await until { gate.arrivals == 1 }
            let runs = Log()
            async let writing: Void = database.write { connection in
                runs.add(1)
                try connection.add("apple")
            }
            let waits = """
                FROM pg_stat_activity
                WHERE datname = current_database() AND query = 'COMMIT' AND wait_event_type = 'Lock'
                """
            try await until { try TestCluster.number("SELECT count(*) \(waits)", at: url) == 1 }
            try TestCluster.execute("SELECT pg_terminate_backend(pid) \(waits)", at: url)
            try await until { runs.sum == 2 }
            gate.open()

            try await holding
            try await writing
            #expect(try await database.read { try $0.fruit() } == ["apple"])
            try other.close()
        }
    }

    @Test("A write waits for a server that comes back") func aServerThatComesBackIsWaitedFor() async throws {
        try await throughProxy { database, proxy in
            proxy.cutNextCommit(.before)
            proxy.stop()
            let runs = Log()
            async let writing: Void = database.write { connection in
                runs.add(1)
                try connection.run("UPDATE fruit SET weight = weight + 1")
            }
            try await until { proxy.cuts == 1 }
            try proxy.start()

            try await writing
            #expect(try await database.read { try $0.number("SELECT weight AS n FROM fruit") } == 1)
        }
    }

    @Test("A write and a read give up on a server that stays away") func aServerThatStaysAwayIsGivenUp() async throws {
        try await throughProxy({ $0.reconnectTimeout = .milliseconds(100) }) { database, proxy in
            proxy.cutNextCommit(.before)
            proxy.stop()
            let write = try await databaseError {
                try await database.write { try $0.run("UPDATE fruit SET weight = weight + 1") }
            }
            let read = try await databaseError { try await database.read { try $0.fruit() } }

            // The connection of the write was lost in its commit, and no server
            // could be asked for the outcome.
            #expect(write.code == .unreachable && write.message.contains("may be committed or not"))
            #expect(read.code == .unreachable && read.message.contains("Start the server"))
        }
    }

    @Test("A commit that can't be looked up stays in doubt when no server answers the repetition")
    func lostCommitWithoutAServer() async throws {
        let hideMark: (String) throws -> Void = { url in
            // Without this function a session has no mark.
            try TestCluster.execute("ALTER FUNCTION pg_control_system() RENAME TO hidden_control_system", at: url)
        }
        try await throughProxy({ $0.reconnectTimeout = .milliseconds(100) }, before: hideMark) { database, proxy in
            proxy.cutNextCommit(.after)
            proxy.stop()
            let error = try await databaseError {
                try await database.write { try $0.run("UPDATE fruit SET weight = weight + 1") }
            }

            #expect(proxy.cuts == 1)
            #expect(error.code == .unreachable && error.message.contains("may be committed or not"))
            try proxy.start()
            #expect(try await database.read { try $0.number("SELECT weight AS n FROM fruit") } == 1)
        }
    }

    @Test("A cancelled read stops its statement on the server") func aReadStopsWhenItsCallerHasGone() async throws {
        try await withFruit { database, url in
            let sleeps =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await database.read { try $0.rows("SELECT pg_sleep(600)") } }
                try await until { try TestCluster.number(sleeps, at: url) == 1 }
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.waitForAll() }
            }

            #expect(try TestCluster.number(sleeps, at: url) == 0)
            #expect(try await database.read { try $0.fruit() } == [])
        }
    }

    private func throughProxy(
        _ change: (inout PostgreSQLDatabase.Options) -> Void = { _ in }, before: (String) throws -> Void = { _ in },
        _ body: (PostgreSQLDatabase, Proxy) async throws -> Void
    ) async throws {
        try await withFruit { direct, url in
            try await direct.write { connection in try connection.add("apple", weight: 0) }
            try before(url)
            let folder = try TemporaryFolder()
            let proxy = try Proxy(folder: folder.path("p"), to: url)
            try proxy.start()
            defer { proxy.stop() }
            let database = try open(proxy.url(for: url)) { options in
                options.connections = 1
                change(&options)
            }
            // The one connection is there before the test begins. The answer to a write follows its COMMIT; a read's
            // COMMIT may pass the proxy after its answer, and would be the one that is cut.
            _ = try await database.write { try $0.fruit() }
            try await body(database, proxy)
            try database.close()
        }
    }
}
