// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import StorePostgreSQL

/// The cost of a second node: each has half of the devices, and the browser of
/// a device is at the other node.
struct PostgreSQLNodesRow: Row {
    static let name = "postgresqlNodes"
    static let summary =
        "durable purchases by 32 concurrent customers through two nodes of a PostgreSQL store, against one node with as "
        + "many connections to the database; both nodes are in one process"

    private static let customers = 32
    private static let purchasesEach = 25

    static func compare() async throws -> Comparison {
        let cluster = try BenchmarkCluster()
        return try await cluster.withDatabase { pair in
            try await cluster.withDatabase { single in
                let databases = [
                    try pair.open(connections: customers / 2), try pair.open(connections: customers / 2),
                    try single.open(connections: customers),
                ]
                let first = try await BenchmarkStore(databases[0])
                let second = try await BenchmarkStore(databases[1])
                let alone = try await BenchmarkStore(databases[2])
                let comparison = try await withServer(first.server) { port in
                    try await withServer(second.server) { otherPort in
                        try await withServer(alone.server) { singlePort in
                            try await compare(first, second, at: port, otherPort, against: alone, at: singlePort)
                        }
                    }
                }
                for database in databases { try database.close() }
                return comparison
            }
        }
    }

    private static func compare(
        _ first: BenchmarkStore, _ second: BenchmarkStore, at port: Int, _ otherPort: Int,
        against alone: BenchmarkStore, at singlePort: Int
    ) async throws -> Comparison {
        let shared = try await Purchases(by: customers, each: purchasesEach, in: first, at: port, otherPort)
        let single = try await Purchases(by: customers, each: purchasesEach, in: alone, at: singlePort)
        let comparison = try await Comparison(
            shared.side.spending(in: first, second), against: single.side)
        try await shared.check()
        try await single.check()
        return comparison
    }
}
#endif
