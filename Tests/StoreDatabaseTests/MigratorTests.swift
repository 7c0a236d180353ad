// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Testing

struct MigratorTests {
    private let first = Migration("1 fruit", ["CREATE TABLE fruit (id TEXT PRIMARY KEY, weight BIGINT)"])
    private let second = Migration(
        "2 colours", ["ALTER TABLE fruit ADD COLUMN colour TEXT", "CREATE UNIQUE INDEX one_colour ON fruit (colour)"])

    private func steps(_ database: any Database) async throws -> [String] {
        try await database.read { connection in
            try connection.rows("SELECT name, applied FROM schema_migration ORDER BY applied").map { row in
                let applied: Int = try row.get("applied")
                return "\(applied): \(try row.get("name") as String)"
            }
        }
    }

    @Test("The migrator takes each step once", arguments: Engine.allCases)
    func takesEachStepOnce(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await Migrator([first]).migrate(database)
            try await Migrator([first, second]).migrate(database)
            try await Migrator([first, second]).migrate(database)

            #expect(try await steps(database) == ["1: 1 fruit", "2: 2 colours"])
        }
    }

    @Test("A failing migration step leaves nothing behind", arguments: Engine.allCases)
    func aFailingStepLeavesNothingBehind(engine: Engine) async throws {
        try await engine.withDatabase { database in
            let broken = Migration("2 broken", ["CREATE TABLE half (id TEXT)", "CREATE NONSENSE"])
            await #expect(throws: DatabaseError.self) { try await Migrator([first, broken]).migrate(database) }

            try await Migrator([first, second]).migrate(database)
            #expect(try await steps(database) == ["1: 1 fruit", "2: 2 colours"])
        }
    }

    @Test("A database of a newer version is refused with the name of the step", arguments: Engine.allCases)
    func aNewerDatabaseIsLeftAlone(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await Migrator([first, second]).migrate(database)

            let error = try await databaseError { try await Migrator([first]).migrate(database) }

            #expect(error.code == .newerSchema)
            #expect(error.message.contains("was written by a newer version") && error.message.contains("2 colours"))
        }
    }

    @Test("Eight migrations that run in parallel take each step once", arguments: Engine.allCases)
    func manyMayMigrateAtOnce(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await Migrator([first, second]).migrate(database) }
                }
                try await group.waitForAll()
            }

            #expect(try await steps(database).count == 2)
        }
    }

    @Test("The synchronous migration takes the same steps", arguments: Engine.allCases)
    func theSynchronousTwinDoesTheSame(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try migrateWithoutAwait(database)

            #expect(try await steps(database) == ["1: 1 fruit", "2: 2 colours"])
        }
    }

    private func migrateWithoutAwait(_ database: any Database) throws {
        try Migrator([first, second]).migrate(database)
    }

    @Test("A query that ran before a step returns the columns that the step adds", arguments: Engine.allCases)
    func theColumnsAreNew(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await Migrator([first]).migrate(database)
            try await database.write { connection in
                try connection.run("INSERT INTO fruit (id) VALUES ('apple')")
                // A text is kept from its second use on.
                for _ in 1...3 { #expect(try connection.rows("SELECT * FROM fruit").count == 1) }
            }

            try await Migrator([first, second]).migrate(database)

            let colour = try await database.write { connection in
                try connection.run("UPDATE fruit SET colour = 'red'")
                return try connection.rows("SELECT * FROM fruit").first?.get("colour") as String?
            }
            #expect(colour == "red")
        }
    }
}
