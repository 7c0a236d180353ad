// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import Testing

@testable import class StoreDatabase.SQLiteDatabase

extension Connection {
    func add(_ id: String, weight: Int? = nil) throws {
        try run("INSERT INTO fruit (id, weight) VALUES ($1, $2)", [id, weight])
    }

    func fruit() throws -> [String] {
        try rows("SELECT id FROM fruit ORDER BY id").map { try $0.get("id") }
    }
}

extension Database {
    func fruit() async throws -> [String] {
        try await read { connection in try connection.fruit() }
    }
}

/// Runs the code and returns the database error that it must throw.
func databaseError<T>(
    at location: SourceLocation = #_sourceLocation, _ body: () async throws -> T
) async throws -> DatabaseError {
    let error = await #expect(throws: DatabaseError.self, sourceLocation: location) { _ = try await body() }
    return try #require(error, sourceLocation: location)
}

extension SQLiteDatabase {
    /// Runs the closures in one transaction and in their order. They wait
    /// behind a write that ends when all of them wait.
    func writeTogether(
        _ closures: [@Sendable (any Connection) throws -> Void]
    ) async throws -> [Result<Void, any Error>] {
        let gate = Gate()
        return try await withThrowingTaskGroup(of: (Int, Result<Void, any Error>)?.self) { group in
            group.addTask {
                try await self.write { _ in gate.hold() }
                return nil
            }
            await until { gate.isHeld }
            for (index, closure) in closures.enumerated() {
                group.addTask {
                    do {
                        return (index, .success(try await self.write(closure)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
                await until { self.waitingWrites > index }
            }
            gate.open()
            var results: [Int: Result<Void, any Error>] = [:]
            for try await case let (index, result)? in group {
                results[index] = result
            }
            return closures.indices.compactMap { results[$0] }
        }
    }
}

/// Waits for a condition that another task makes true.
func until(_ condition: @Sendable () -> Bool) async {
    while !condition() {
        await Task.yield()
    }
}
