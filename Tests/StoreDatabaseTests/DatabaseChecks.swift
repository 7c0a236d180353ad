// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport

@testable import class StoreDatabase.SQLiteDatabase

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
            try await until { gate.isHeld }
            for (index, closure) in closures.enumerated() {
                group.addTask {
                    do {
                        return (index, .success(try await self.write(closure)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
                try await until { self.load.waitingWrites > index }
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
