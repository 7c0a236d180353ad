// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Testing

@testable import class StoreDatabase.SQLiteDatabase

struct GroupCommitTests {
    @Test("Two hundred concurrent writers, each atomic", arguments: Engine.allCases)
    func manyWriters(engine: Engine) async throws {
        try await engine.withFruit { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try await database.write { connection in
                            try connection.add("a\(number)", weight: number)
                            try connection.add("b\(number)", weight: number)
                        }
                    }
                }
                try await group.waitForAll()
            }

            let pairs = try await database.read { connection in
                try connection.rows("SELECT weight FROM fruit GROUP BY weight HAVING count(*) = 2")
            }
            #expect(pairs.count == 200)
        }
    }

    @Test("Writes that wait together are committed together", arguments: SQLiteKind.allCases)
    func writesThatWaitTogetherAreCommittedTogether(kind: SQLiteKind) async throws {
        try await kind.withFruit { database in
            let before = database.commits
            let results = try await database.writeTogether(
                (0..<200).map { number in { connection in try connection.add("\(number)") } })

            for result in results { try result.get() }
            // One commit for the write they waited behind, one for all of them.
            #expect(database.commits - before == 2)
            #expect(try await database.fruit().count == 200)
        }
    }

    @Test("Writes that were committed together are there after reopening")
    func durable() async throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteDatabase(.file(folder.path("fruit.sqlite")))
        try await first.write { connection in
            try connection.run("CREATE TABLE fruit (id TEXT PRIMARY KEY, weight BIGINT)")
        }
        _ = try await first.writeTogether((0..<50).map { number in { connection in try connection.add("\(number)") } })
        try first.close()

        let second = try SQLiteDatabase(.file(folder.path("fruit.sqlite")))
        #expect(try await second.fruit().count == 50)
    }

    @Test("A closure that throws in a batch undoes its own writes only", arguments: SQLiteKind.allCases)
    func aThrowInABatchUndoesItsOwnClosureOnly(kind: SQLiteKind) async throws {
        try await kind.withFruit { database in
            let results = try await database.writeTogether([
                { connection in try connection.add("apple") },
                { connection in
                    try connection.add("pear")
                    throw Refusal()
                },
                { connection in try connection.add("plum") },
            ])

            try results[0].get()
            #expect(throws: Refusal()) { try results[1].get() }
            try results[2].get()
            #expect(try await database.fruit() == ["apple", "plum"])
        }
    }

    @Test("An answer comes after the commit", arguments: SQLiteKind.allCases)
    func nobodyIsAnsweredEarly(kind: SQLiteKind) async throws {
        try await kind.withFruit { database in
            let commitsAtAnswer = Log()
            let gate = Gate()
            let before = database.commits
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await database.write { _ in gate.hold() } }
                try await until { gate.isHeld }
                group.addTask {
                    await #expect(throws: Refusal()) { try await database.write { _ in throw Refusal() } }
                    commitsAtAnswer.add(database.commits)
                }
                try await until { database.load.waitingWrites == 1 }
                let second = Gate()
                group.addTask { try await database.write { _ in second.hold() } }
                try await until { database.load.waitingWrites == 2 }
                gate.open()
                try await until { second.isHeld }
                // The failing closure has run, and the batch isn't committed.
                #expect(commitsAtAnswer.entries == [])
                second.open()
                try await group.waitForAll()
            }

            #expect(commitsAtAnswer.entries == [before + 2])
        }
    }

    @Test("The load has the busy writer and the writes that wait for it", arguments: SQLiteKind.allCases)
    func load(kind: SQLiteKind) async throws {
        try await kind.withFruit { database in
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await database.write { _ in gate.hold() } }
                try await until { gate.isHeld }
                for _ in 0..<3 { group.addTask { try await database.write { _ in } } }
                try await until { database.load.waitingWrites == 3 }
                #expect(database.load.connectionsInUse == 1 && database.load.idleConnections == 0)
                gate.open()
                try await group.waitForAll()
            }
            try await until { database.load.idleConnections == 1 }
            #expect(database.load.waitingWrites == 0 && database.load.isReachable)
        }
    }

    @Test("A deferred foreign key fails the closure to blame", arguments: SQLiteKind.allCases)
    func deferredConstraints(kind: SQLiteKind) async throws {
        try await kind.withFruit { database in
            try await database.write { connection in
                try connection.run(
                    "CREATE TABLE stone (fruit TEXT REFERENCES fruit (id) DEFERRABLE INITIALLY DEFERRED)")
            }
            let results = try await database.writeTogether([
                { connection in try connection.add("apple") },
                { connection in _ = try connection.run("INSERT INTO stone VALUES ('plum')") },
                { connection in try connection.add("pear") },
            ])

            try results[0].get()
            let error = #expect(throws: DatabaseError.self) { try results[1].get() }
            #expect(error?.code == .constraintViolation)
            try results[2].get()
            #expect(try await database.fruit() == ["apple", "pear"])
        }
    }
}
