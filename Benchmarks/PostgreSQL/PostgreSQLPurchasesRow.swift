// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import StorePostgreSQL

/// The cost of a purchase on PostgreSQL: several commits, each flushed, and
/// HTTP around them. pgbench's transaction is one commit without HTTP.
struct PostgreSQLPurchasesRow: Row {
    static let name = "postgresqlPurchases"
    static let summary =
        "durable purchases through HTTP on PostgreSQL, by 32 customers at once, against pgbench's TPC-B with 32 "
        + "clients on the same cluster"

    private static let customers = 32
    private static let purchasesEach = 25

    static func compare() async throws -> Comparison {
        let cluster = try BenchmarkCluster()
        let database = try cluster.open(connections: customers)
        let store = try await BenchmarkStore(database)
        try await cluster.prepareTPCB(clients: customers)
        let comparison = try await withServer(store.server) { port in
            let purchases = try await Purchases(by: customers, each: purchasesEach, in: store, at: port)
            let comparison = try await Comparison(
                purchases.side, against: Side("transactions") { try await cluster.tpcb(clients: customers) })
            try await purchases.check()
            return comparison
        }
        try database.close()
        return comparison
    }
}
#endif
