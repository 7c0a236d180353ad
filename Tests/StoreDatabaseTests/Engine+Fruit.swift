// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport

extension Engine {
    /// An empty database with the table `fruit (id TEXT PRIMARY KEY, weight BIGINT)`.
    func withFruit(
        limits: WaitingLimits = WaitingLimits(), _ body: (any Database) async throws -> Void
    ) async throws {
        try await withDatabase(limits: limits) { database in
            try await database.write { connection in
                try connection.makeFruitTable()
            }
            try await body(database)
        }
    }
}
