// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Testing

@Suite(.timeLimit(.hang))
struct WaitingLimitTests {
    private static func limits(writes: Int = .max, reads: Int = .max) -> WaitingLimits {
        var limits = WaitingLimits()
        limits.writes = writes
        limits.reads = reads
        return limits
    }

    /// Runs writes until all connections are busy and `waiting` more wait, and then the body.
    private func withWaitingWrites(
        _ waiting: Int, _ engine: Engine, _ database: any Database, _ body: (Gate) async throws -> Void
    ) async throws {
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<engine.writers + waiting {
                group.addTask {
                    try await database.write { connection in
                        gate.hold()
                        try connection.add("accepted \(number)")
                    }
                }
                try await until { gate.arrivals == min(number + 1, engine.writers) }
                try await until { database.load.waitingWrites == max(number + 1 - engine.writers, 0) }
            }
            defer { gate.open() }
            try await body(gate)
            gate.open()
            try await group.waitForAll()
        }
    }

    /// Runs reads until all connections are busy and `waiting` more wait, and then the body.
    private func withWaitingReads(
        _ waiting: Int, _ engine: Engine, _ database: any Database, _ body: (Gate) async throws -> Void
    ) async throws {
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<engine.readers + waiting {
                group.addTask { try await database.read { _ in gate.hold() } }
                try await until { gate.arrivals == min(number + 1, engine.readers) }
                try await until { database.load.waitingReads == max(number + 1 - engine.readers, 0) }
            }
            defer { gate.open() }
            try await body(gate)
            gate.open()
            try await group.waitForAll()
        }
    }

    @Test("The load counts the reads that wait", arguments: Engine.allCases)
    func load(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await withWaitingReads(2, engine, database) { _ in
                #expect(database.load.waitingReads == 2 && database.load.waitingWrites == 0)
            }

            #expect(database.load.waitingReads == 0)
        }
    }

    @Test("A write beyond the limit is refused immediately, and changes nothing", arguments: Engine.allCases)
    func refusedWrite(engine: Engine) async throws {
        try await engine.withFruit(limits: Self.limits(writes: 3)) { database in
            let runs = Log()
            try await withWaitingWrites(3, engine, database) { _ in
                let refusal = try await databaseError {
                    try await database.write { connection in
                        runs.add(1)
                        try connection.add("refused")
                    }
                }
                #expect(refusal.code == .overloaded)
                #expect(refusal.message.contains("3 writes wait already. Nothing was begun"))
                let ofAccount = try await databaseError {
                    try await database.write(.account("ann")) { _ in _ = runs.add(1) }
                }
                #expect(ofAccount.code == .overloaded)
            }

            #expect(runs.entries == [])
            let fruit = try await database.fruit()
            #expect(fruit.count == engine.writers + 3 && !fruit.contains("refused"))
        }
    }

    @Test("An urgent write isn't refused, and counts as waiting", arguments: Engine.allCases)
    func urgentWrite(engine: Engine) async throws {
        try await engine.withFruit(limits: Self.limits(writes: 2)) { database in
            try await withThrowingTaskGroup(of: Void.self) { urgent in
                try await withWaitingWrites(2, engine, database) { _ in
                    urgent.addTask { try await database.write(.all, isUrgent: true) { try $0.add("urgent") } }
                    try await until { database.load.waitingWrites == 3 }
                    let refusal = try await databaseError { try await database.write { _ in } }
                    #expect(refusal.code == .overloaded)
                }
                try await urgent.waitForAll()
            }

            #expect(try await database.fruit().contains("urgent"))
        }
    }

    @Test("After a refusal writes are accepted again as soon as others have run", arguments: Engine.allCases)
    func acceptedAgain(engine: Engine) async throws {
        try await engine.withFruit(limits: Self.limits(writes: 1)) { database in
            try await withWaitingWrites(1, engine, database) { _ in
                let refusal = try await databaseError { try await database.write { _ in } }
                #expect(refusal.code == .overloaded)
            }
            try await database.write { try $0.add("later") }

            #expect(database.load.waitingWrites == 0 && database.load.waitingReads == 0)
            #expect(try await database.fruit().contains("later"))
        }
    }

    @Test("A read beyond the limit is refused immediately, and an urgent one isn't", arguments: Engine.allCases)
    func refusedRead(engine: Engine) async throws {
        try await engine.withFruit(limits: Self.limits(reads: 2)) { database in
            let runs = Log()
            try await withThrowingTaskGroup(of: Void.self) { urgent in
                try await withWaitingReads(2, engine, database) { _ in
                    let refusal = try await databaseError { try await database.read { _ in _ = runs.add(1) } }
                    #expect(refusal.code == .overloaded)
                    #expect(refusal.message.contains("2 reads wait already. Nothing was begun"))
                    urgent.addTask { try await database.read(isUrgent: true) { _ in _ = runs.add(10) } }
                    try await until { database.load.waitingReads == 3 }
                }
                try await urgent.waitForAll()
            }

            #expect(runs.entries == [10])
            #expect(database.load.waitingWrites == 0 && database.load.waitingReads == 0)
        }
    }

    @Test("A refused read of synchronous code throws instead of blocking its thread", arguments: Engine.allCases)
    func synchronousCalls(engine: Engine) async throws {
        try await engine.withFruit(limits: Self.limits(writes: 1, reads: 1)) { database in
            try await withWaitingReads(1, engine, database) { _ in
                #expect(throws: DatabaseError(.overloaded, "")) { try readNow(database) }
            }
            try await withWaitingWrites(1, engine, database) { _ in
                #expect(throws: DatabaseError(.overloaded, "")) { try writeNow(database) }
            }
            #expect(database.load.waitingWrites == 0 && database.load.waitingReads == 0)
        }
    }

    // In an `async` function the compiler would select the asynchronous methods.
    private func readNow(_ database: any Database) throws { try database.read { _ in } }
    private func writeNow(_ database: any Database) throws { try database.write { _ in } }

    @Test(
        "Two hundred concurrent calls are each accepted or refused, and only accepted ones have an effect",
        arguments: Engine.allCases)
    func manyAtOnce(engine: Engine) async throws {
        try await engine.withFruit(limits: Self.limits(writes: 20)) { database in
            let accepted = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        do {
                            try await database.write { try $0.add("\(number)") }
                            return "\(number)"
                        } catch let error as DatabaseError where error.code == .overloaded {
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: Set<String>()) { accepted, name in
                    if let name { accepted.insert(name) }
                }
            }

            #expect(!accepted.isEmpty)
            let fruit = try await database.fruit()
            #expect(Set(fruit) == accepted)
        }
    }
}
