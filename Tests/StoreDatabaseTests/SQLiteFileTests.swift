// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreTestSupport
import Testing

@testable import class StoreDatabase.SQLiteDatabase

struct SQLiteFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Only the owner can read the database's files and folders") func filesAreTheirOwnersOnly() async throws {
        let path = folder.path("one/two/fruit.sqlite")
        let database = try SQLiteDatabase(.file(path))
        try await database.write { connection in try connection.run("CREATE TABLE fruit (id TEXT)") }

        #expect(try permissions(of: folder.path("one")) == 0o700)
        #expect(try permissions(of: folder.path("one/two")) == 0o700)
        for suffix in ["", "-wal", "-shm"] {
            #expect(try permissions(of: path + suffix) == 0o600)
        }
    }

    @Test("Commits are flushed, in a write-ahead log, with foreign keys")
    func settings() async throws {
        let database = try SQLiteDatabase(.file(folder.path("fruit.sqlite")))

        let settings = try await database.write { connection in
            try ["synchronous", "journal_mode", "foreign_keys"].map { name -> DatabaseValue? in
                try connection.row("PRAGMA \(name)")?.get(name)
            }
        }

        // https://www.sqlite.org/pragma.html#pragma_synchronous: 2 is FULL.
        #expect(settings == [.integer(2), .text("wal"), .integer(1)])
    }

    @Test("Two connections to one file see each other's commits") func anotherProcessSeesTheCommits() async throws {
        let path = folder.path("fruit.sqlite")
        let ours = try SQLiteDatabase(.file(path))
        try await ours.write { connection in
            try connection.run("CREATE TABLE fruit (id TEXT PRIMARY KEY, weight BIGINT)")
        }
        let theirs = try SQLiteDatabase(.file(path))
        #expect(try await theirs.fruit() == [])

        try await ours.write { connection in try connection.add("apple") }
        #expect(try await theirs.fruit() == ["apple"])
        try await theirs.write { connection in try connection.add("pear") }
        #expect(try await ours.fruit() == ["apple", "pear"])
    }

    @Test("A write gives up as busy while another connection holds the file, and succeeds after it")
    func aWriteWaitsForAnotherProcessAndThenGivesUp() async throws {
        let path = folder.path("fruit.sqlite")
        let theirs = try SQLiteDatabase(.file(path))
        let ours = try SQLiteDatabase(.file(path), busyTimeout: .milliseconds(50))
        let gate = Gate()
        async let holding: Void = theirs.write { _ in gate.hold() }
        try await until { gate.isHeld }

        let error = try await databaseError { try await ours.write { _ in } }
        #expect(error.code == .busy)
        #expect(error.message.contains(path) && error.message.contains("another process"))

        gate.open()
        try await holding
        try await ours.write { _ in }
    }

    @Test("Eight connections may create and migrate one file in parallel")
    func manyMayOpenANewFileAtOnce() async throws {
        let path = folder.path("fruit.sqlite")
        let migrator = Migrator([Migration("1", ["CREATE TABLE fruit (id TEXT PRIMARY KEY, weight BIGINT)"])])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let database = try SQLiteDatabase(.file(path), busyTimeout: .beyondTests)
                    try await migrator.migrate(database)
                    try await database.write { connection in try connection.add("\(number)") }
                    try database.close()
                }
            }
            try await group.waitForAll()
        }

        #expect(try await SQLiteDatabase(.file(path)).fruit().count == 8)
    }

    @Test("A file that isn't a database is named in the error and stays as it is")
    func aFileThatIsNoDatabaseIsNamed() async throws {
        let path = folder.path("notes.txt")
        try Data(repeating: 65, count: 4096).write(to: URL(fileURLWithPath: path))

        let error = try await databaseError { _ = try SQLiteDatabase(.file(path)) }

        #expect(error.code == .notADatabase)
        #expect(error.message.contains(path))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 4096)
    }

    @Test("A path that can't be a database file is refused as readOnly")
    func aPlaceThatCantBeWrittenIsNamed() async throws {
        let file = folder.path("file")
        try Data().write(to: URL(fileURLWithPath: file))

        let inside = try await databaseError { _ = try SQLiteDatabase(.file(file + "/fruit.sqlite")) }
        #expect(inside.code == .readOnly)
        #expect(inside.message.contains(file))

        let directory = folder.path("directory")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let error = try await databaseError { _ = try SQLiteDatabase(.file(directory)) }
        #expect(error.code == .readOnly)
    }
}
