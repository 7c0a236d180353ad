// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StorePostgreSQL
import StoreTestSupport
import Testing

@Suite(.enabled(if: TestCluster.url != nil, "there is no PostgreSQL"))
struct StatementTests {
    @Test("Numbers of PostgreSQL's other types are read as ours")
    func types() async throws {
        try await withFruit { database, _ in
            let row = try await database.read { connection in
                try connection.row(
                    """
                    SELECT count(*) AS count, sum(n) AS sum, 0::numeric AS zero,
                        min(n) AS least, 7::int2 AS small, -8::int4 AS medium, 1 = 1 AS yes, NULL AS nothing,
                        9223372036854775807::numeric AS most, '-9223372036854775808'::numeric AS fewest,
                        12345678.00::numeric AS cents, 'x'::varchar AS x
                    FROM (VALUES (-9223372036854775808), (0), (4611686018427387904), (12345)) AS v (n)
                    WHERE n > -9223372036854775808
                    """)
            }
            let found = try #require(row)

            #expect(try found.get("count") == 3)
            #expect(try found.get("sum") == 4_611_686_018_427_400_249)
            #expect(try found.get("zero") == 0)
            #expect(try found.get("least") == 0)
            #expect(try found.get("small") == 7)
            #expect(try found.get("medium") == -8)
            #expect(try found.get("yes") == true)
            #expect(try found.get("nothing") == DatabaseValue.null)
            #expect(try found.get("most") == Int64.max)
            #expect(try found.get("fewest") == Int64.min)
            #expect(try found.get("cents") == 12_345_678)
            #expect(try found.get("x") == "x")
        }
    }

    @Test(
        "A value of an unsupported type is an error that names the column",
        arguments: [
            "1.5::float8", "1.5::numeric", "9223372036854775808::numeric", "'NaN'::numeric", "0.0001::numeric", "now()",
        ])
    func otherTypesAreAnErrorThatNamesTheColumn(expression: String) async throws {
        try await withFruit { database, _ in
            let error = try await databaseError {
                try await database.read { try $0.rows("SELECT \(expression) AS odd") }
            }

            #expect(error.code == .column && error.message.contains("\"odd\""))
        }
    }

    @Test("A parameter may be NULL at first and later a value, and the other way round")
    func nulls() async throws {
        try await withFruit({ $0.connections = 1 }) { database, _ in
            let texts: [String?] = try await database.write { connection in
                try connection.run("CREATE TABLE thing (place BIGINT, text TEXT, bytes blob)")
                for (place, text) in [nil, "apple", nil, "pear"].enumerated() {
                    try connection.run(
                        "INSERT INTO thing VALUES ($1, $2, $3)", [place, text, text.map { Data($0.utf8) }])
                }
                return try connection.rows("SELECT text FROM thing ORDER BY place").map { try $0.get("text") }
            }

            #expect(texts == [nil, "apple", nil, "pear"])
        }
    }

    @Test("Long text, many bytes, and letters of many scripts")
    func bigValues() async throws {
        try await withFruit { database, _ in
            let text = String(repeating: "Äpfel 苹果 تفاحة 🍎 e\u{301} ", count: 200_000)
            let bytes = Data((0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let row = try await database.write { connection in
                try connection.run("CREATE TABLE thing (text TEXT, bytes blob)")
                try connection.run("INSERT INTO thing VALUES ($1, $2)", [text, bytes])
                return try connection.row("SELECT text, bytes FROM thing")
            }

            // Equal strings may differ in their bytes, so the bytes are compared.
            let back: String = try #require(row).get("text")
            #expect(Array(back.utf8) == Array(text.utf8))
            #expect(try row?.get("bytes") == bytes)
        }
    }

    @Test("A table may change under prepared statements")
    func schemaChanges() async throws {
        try await withFruit({ $0.connections = 2 }) { database, url in
            let other = try open(url)
            let columns: @Sendable (any Connection) throws -> [String] = { connection in
                _ = try connection.rows("SELECT 1 AS one")
                return try connection.row("SELECT * FROM fruit")?.columns ?? []
            }
            try await database.write { try $0.add("apple") }
            for _ in 0..<4 { #expect(try await database.read(columns) == ["id", "weight"]) }

            try await other.write { _ = try $0.run("ALTER TABLE fruit ADD COLUMN colour TEXT") }

            for _ in 0..<4 { #expect(try await database.read(columns) == ["id", "weight", "colour"]) }
            try other.close()
        }
    }

    @Test("More different statements than are kept prepared")
    func manyStatements() async throws {
        try await withFruit({ $0.connections = 1 }) { database, _ in
            for round in 0..<3 {
                let sum = try await database.read { connection in
                    try (0..<400).reduce(0) { $0 + (try connection.number("SELECT \(round * 300 + $1) AS n")) }
                }
                #expect(sum == (0..<400).reduce(0) { $0 + round * 300 + $1 })
            }
        }
    }

    @Test("A read may go on after an error") func aReadMayGoOnAfterAnError() async throws {
        try await withFruit { database, _ in
            let one = try await database.read { connection in
                #expect(throws: DatabaseError.self) { try connection.rows("SELECT id FROM nowhere") }
                return try connection.number("SELECT 1 AS n")
            }

            #expect(one == 1)
        }
    }

    @Test("An ignored error leaves the other writes of its closure in place")
    func anErrorThatIsHiddenTakesNothingElseAway() async throws {
        try await withFruit { database, _ in
            try await database.write { connection in
                try connection.add("apple")
                try connection.add("pear")
                _ = try? connection.add("apple")
            }

            #expect(try await database.read { try $0.fruit() } == ["apple", "pear"])
        }
    }

    @Test("Who looks first and then adds never meets a row that wasn't there")
    func lookThenAdd() async throws {
        try await withFruit { database, _ in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let body: @Sendable (any Connection) throws -> Bool = { connection in
                            let id = "\(number / 10)"
                            if try connection.row("SELECT id FROM fruit WHERE id = $1", [id]) != nil { return false }
                            try connection.add(id)
                            return true
                        }
                        // Different accounts, or none: no account lock keeps the writes apart.
                        if number % 2 == 0 { return try await database.write(body) }
                        return try await database.write(.account("\(number)"), body)
                    }
                }
                let added = try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                #expect(added == 10)
            }
        }
    }

    @Test("A violated deferred constraint fails the write at its end")
    func aDeferredConstraintSpeaksUpAtTheEnd() async throws {
        try await withFruit { database, _ in
            try await database.write { connection in
                try connection.run(
                    "CREATE TABLE stone (fruit TEXT REFERENCES fruit (id) DEFERRABLE INITIALLY DEFERRED)")
            }
            let error = try await databaseError {
                try await database.write { try $0.run("INSERT INTO stone VALUES ('plum')") }
            }

            #expect(error.code == .constraintViolation)
        }
    }

    @Test("A write gives up as busy when the lock timeout is over") func aLockIsntWaitedForForEver() async throws {
        try await withFruit { database, url in
            try await database.write { try $0.add("apple") }
            let other = try open(url) { $0.lockTimeout = .milliseconds(50) }
            let gate = Gate()
            async let holding: Void = database.write { connection in
                try connection.run("UPDATE fruit SET weight = 1")
                gate.hold()
            }
            try await until { gate.arrivals == 1 }
            let error = try await databaseError { try await other.write { try $0.run("UPDATE fruit SET weight = 2") } }
            gate.open()

            #expect(error.code == .busy && error.message.contains("held a lock"))
            try await holding
            try other.close()
        }
    }

    @Test("A statement ends as busy when the statement timeout is over")
    func aStatementDoesntRunForEver() async throws {
        // The read after it takes some milliseconds.
        try await withFruit({ $0.statementTimeout = .seconds(3) }) { database, _ in
            let error = try await databaseError { try await database.read { try $0.rows("SELECT pg_sleep(600)") } }

            #expect(error.code == .busy && error.message.contains("took longer"))
            #expect(try await database.read { try $0.fruit() } == [])
        }
    }

    @Test("The load has the busy and the idle connections, and the closures that wait for one")
    func load() async throws {
        try await withFruit({ $0.connections = 2 }) { database, _ in
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account in ["ann", "bob"] {
                    group.addTask { try await database.write(.account(account)) { _ in gate.hold() } }
                }
                try await until { gate.arrivals == 2 }
                for _ in 0..<3 { group.addTask { try await database.write(.account("ann")) { _ in } } }
                for _ in 0..<2 { group.addTask { try await database.read { _ in } } }
                try await until { database.load.waitingWrites == 3 && database.load.waitingReads == 2 }
                #expect(database.load.connectionsInUse == 2 && database.load.idleConnections == 0)
                gate.open()
                try await group.waitForAll()
            }
            try await until { database.load.idleConnections == 2 && database.load.connectionsInUse == 0 }
            #expect(database.load.waitingWrites == 0 && database.load.waitingReads == 0 && database.load.isReachable)
        }
    }

    @Test("Closures that run one after another need one connection")
    func oneAfterAnother() async throws {
        try await withFruit({ $0.connections = 4 }) { database, url in
            let name = try #require(url.split(separator: "/").last)
            for number in 0..<100 {
                try await database.write(.account("ann")) { try $0.run("UPDATE fruit SET weight = \(number)") }
                _ = try await database.read { try $0.fruit() }
            }
            #expect(database.load.connectionsInUse + database.load.idleConnections == 1)
            // The session that has made the table ends on the server a moment later.
            try await until {
                try TestCluster.number("SELECT count(*) FROM pg_stat_activity WHERE datname = '\(name)'") == 1
            }
        }
    }

    @Test("Closing finishes the running and the waiting write") func closingFinishesWhatWaits() async throws {
        try await withFruit({ $0.connections = 1 }) { database, _ in
            let gate = Gate()
            async let first: Void = database.write { connection in
                try connection.add("apple")
                gate.hold()
            }
            try await until { gate.arrivals == 1 }
            async let second = database.write { connection in
                try connection.add("pear")
                return "done"
            }
            try await until { database.load.waitingWrites == 1 }
            gate.open()
            try database.close()

            try await first
            #expect(try await second == "done")
        }
    }
}
