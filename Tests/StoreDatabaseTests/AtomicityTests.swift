// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Testing

@testable import class StoreDatabase.SQLiteDatabase

struct AtomicityTests {
    @Test("A closure that throws undoes its own writes only", arguments: Engine.allCases)
    func aThrowUndoesItsOwnClosureOnly(engine: Engine) async throws {
        try await engine.withFruit { database in
            let results = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let written: Void? = try? await database.write { connection in
                            try connection.add("\(number)")
                            if number % 2 == 1 { throw Refusal() }
                        }
                        return written != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }

            let ids = try await database.fruit()
            #expect(results == 10)
            let even = stride(from: 0, to: 20, by: 2).map { "\($0)" }.sorted()
            #expect(ids == even)
        }
    }

    @Test("The caller gets the error that the closure throws", arguments: Engine.allCases)
    func theErrorIsTheClosures(engine: Engine) async throws {
        try await engine.withFruit { database in
            await #expect(throws: Refusal()) { try await database.write { _ in throw Refusal() } }
            await #expect(throws: Refusal()) { try await database.write(.account("ann")) { _ in throw Refusal() } }
            await #expect(throws: Refusal()) { try await database.read { _ in throw Refusal() } }
        }
    }

    @Test("A read sees committed rows only", arguments: Engine.allCases)
    func readersSeeOnlyWhatIsCommitted(engine: Engine) async throws {
        try await engine.withFruit { database in
            let gate = Gate()
            async let writing: Void = database.write { connection in
                try connection.add("apple")
                gate.hold()
            }
            try await until { gate.isHeld }

            // In memory the read waits for the write; on a file it runs immediately.
            if engine != .sqliteMemory {
                #expect(try await database.fruit() == [])
            }
            gate.open()
            try await writing
            #expect(try await database.fruit() == ["apple"])
        }
    }

    @Test("A read sees one state of the database from its start to its end", arguments: Engine.allCases)
    func aReadSeesOneState(engine: Engine) async throws {
        try await engine.withFruit { database in
            let gate = Gate()
            async let reading = database.read { connection in
                let before = try connection.fruit()
                gate.hold()
                return (before, try connection.fruit())
            }
            try await until { gate.isHeld }
            async let writing: Void = database.write { connection in try connection.add("apple") }
            if engine != .sqliteMemory { try await writing }
            gate.open()

            let (before, after) = try await reading
            #expect(before == [] && after == [])
            try await writing
        }
    }

    @Test("A write inside a read is refused as readOnly", arguments: Engine.allCases)
    func aReadCantWrite(engine: Engine) async throws {
        try await engine.withFruit { database in
            let error = try await databaseError {
                try await database.read { connection in try connection.add("apple") }
            }

            #expect(error.code == .readOnly)
            #expect(try await database.fruit() == [])
        }
    }

    @Test("A closure that tries to commit ends the process")
    func transactionCommandsAreRefused() async {
        await #expect(processExitsWith: .failure) {
            let database = try SQLiteDatabase(.memory)
            try await database.write { connection in _ = try connection.run("/* mine */ commit") }
        }
    }
}
