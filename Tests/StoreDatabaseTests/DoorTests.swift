// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Testing

@testable import class StoreDatabase.SQLiteDatabase

struct DoorTests {
    @Test("The synchronous and the asynchronous calls reach the same data", arguments: Engine.allCases)
    func theSynchronousDoorLeadsToTheSameRoom(engine: Engine) async throws {
        try await engine.withFruit { database in
            let ids = try writeAndReadWithoutAwait(database)

            #expect(ids == ["apple"])
            #expect(try await database.fruit() == ["apple"])
        }
    }

    private func writeAndReadWithoutAwait(_ database: any Database) throws -> [String] {
        try database.write { connection in try connection.add("apple") }
        #expect(throws: Refusal()) { try database.write { _ in throw Refusal() } }
        return try database.read { connection in try connection.fruit() }
    }

    @Test("A cancelled task still gets the answer of its write", arguments: Engine.allCases)
    func aCancelledTaskStillGetsTheAnswerOfItsWrite(engine: Engine) async throws {
        try await engine.withFruit { database in
            let gate = Gate()
            let answer = try await withThrowingTaskGroup(of: String.self) { group in
                group.addTask {
                    try await database.write { connection in
                        gate.hold()
                        try connection.add("apple")
                        return "written"
                    }
                }
                try await until { gate.isHeld }
                group.cancelAll()
                gate.open()
                return try await group.next()
            }

            #expect(answer == "written")
            #expect(try await database.fruit() == ["apple"])
        }
    }

    @Test("A closed database refuses writes and reads as closed, and may be closed twice", arguments: Engine.allCases)
    func aClosedDatabaseSaysSo(engine: Engine) async throws {
        let folder = try TemporaryFolder()
        let database = try engine.open(in: folder)
        try database.close()
        try database.close()

        #expect(try await databaseError { try await database.write { _ in } }.code == .closed)
        #expect(try await databaseError { try await database.read { _ in } }.code == .closed)
    }

    @Test("Closing finishes the waiting writes", arguments: SQLiteKind.allCases)
    func closingFinishesTheWaitingWrites(kind: SQLiteKind) async throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteDatabase(kind == .memory ? .memory : .file(folder.path("fruit.sqlite")))
        let gate = Gate()
        async let first: Void = database.write { _ in gate.hold() }
        try await until { gate.isHeld }
        async let second = database.write { _ in "done" }
        try await until { database.load.waitingWrites == 1 }
        gate.open()
        try database.close()

        try await first
        #expect(try await second == "done")
    }

    @Test("The synchronous doors inside a closure end the process, with a message")
    func nestedDoors() async throws {
        let write = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let database = try SQLiteDatabase(.memory)
            try await database.write { _ in try database.write { _ in } }
        }
        let message = String(decoding: write?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("write was called inside a closure of the same database"))

        await #expect(processExitsWith: .failure) {
            let database = try SQLiteDatabase(.memory)
            try await database.read { _ in try database.write { _ in } }
        }
    }

    @Test("Closures of different databases may be nested") func closuresOfDifferentDatabasesMayBeNested() async throws {
        let first = try SQLiteDatabase(.memory)
        let second = try SQLiteDatabase(.memory)

        let answer = try await first.write { _ in try second.write { _ in 1 } }

        #expect(answer == 1)
    }
}
