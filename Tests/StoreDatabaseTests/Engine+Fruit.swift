// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport

extension Engine {
    /// An empty database with the table `fruit (id TEXT PRIMARY KEY, weight BIGINT)`.
    func withFruit(_ body: (any Database) async throws -> Void) async throws {
        try await withDatabase { database in
            try await database.write { connection in
                try connection.makeFruitTable()
            }
            try await body(database)
        }
    }
}
