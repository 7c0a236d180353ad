// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

// The table `fruit` of the database engines' tests.
extension Connection {
    package func makeFruitTable() throws {
        try run("CREATE TABLE fruit (id TEXT PRIMARY KEY, weight BIGINT)")
    }

    package func add(_ id: String, weight: Int? = nil) throws {
        try run("INSERT INTO fruit (id, weight) VALUES ($1, $2)", [id, weight])
    }

    /// The identifiers of all fruit in their order.
    package func fruit() throws -> [String] {
        try rows("SELECT id FROM fruit ORDER BY id").map { try $0.get("id") }
    }
}

extension Database {
    /// The identifiers of all fruit in their order.
    package func fruit() async throws -> [String] {
        try await read { connection in try connection.fruit() }
    }
}
