// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import StorePostgreSQL

/// The cost of a purchase on PostgreSQL: several commits, each flushed, and
/// HTTP around them. pgbench's transaction is one commit without HTTP. The
/// limit of the same shape is the purchase's own statements as a script.
struct PostgreSQLPurchasesRow: Row {
    static let name = "postgresqlPurchases"
    static let summary =
        "durable purchases through HTTP on PostgreSQL, by 32 concurrent customers, against pgbench's TPC-B with 32 "
        + "clients on the same cluster, beside a pgbench script of a purchase's own statements"

    private static let customers = 32
    private static let purchasesEach = 25

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            try await BenchmarkCluster().withDatabase { cluster in
                let database = try cluster.open(connections: customers)
                let store = try await BenchmarkStore(database)
                try await cluster.prepareTPCB(clients: customers)
                let comparison = try await withServer(store.server) { port in
                    let purchases = try await Purchases(by: customers, each: purchasesEach, in: store, at: port)
                    let buyers = try await purchases.buyers
                    try await PurchaseScript.makeCustomers(buyers, in: database)
                    let script = try await PurchaseScript.recording(store.database, of: buyers[0]) {
                        try await purchases.buyOnce()
                    }
                    // Later the tables have the script's purchases, too.
                    try await purchases.check()
                    return try await Comparison(
                        purchases.side,
                        against: Side("transactions") { try await cluster.tpcb(clients: customers) },
                        beside: [
                            (
                                "its statements alone:",
                                try script.side(on: cluster, clients: customers, in: folder)
                            )
                        ])
                }
                try database.close()
                return comparison
            }
        }
    }
}
#endif
