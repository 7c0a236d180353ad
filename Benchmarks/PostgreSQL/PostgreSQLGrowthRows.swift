// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import StorePostgreSQL

/// ``LargeAccountRow`` on PostgreSQL.
struct PostgreSQLLargeAccountRow: Row {
    static let name = "postgresqlAccount-20000"
    static let summary =
        "the same as \(LargeAccountRow.name) on PostgreSQL: an account with 20,000 purchases against one with 10"

    static func compare() async throws -> Comparison {
        try await BenchmarkCluster().withDatabase { cluster in
            let database = try cluster.open(connections: 4)
            let comparison = try await LargeAccount.compare(in: BenchmarkStore(database))
            try database.close()
            return comparison
        }
    }
}

/// ``FilledResetRow`` on PostgreSQL.
struct PostgreSQLFilledResetRow: Row {
    static let name = "postgresqlReset-filled"
    static let summary = "the same as \(FilledResetRow.name) on PostgreSQL, whose commits are durable"

    static func compare() async throws -> Comparison {
        try await BenchmarkCluster().withDatabase { cluster in
            let database = try cluster.open(connections: 4)
            let comparison = try await FilledReset.compare(in: BenchmarkStore(database))
            try database.close()
            return comparison
        }
    }
}

/// ``DueSubscriptionsRow`` on PostgreSQL.
struct PostgreSQLDueSubscriptionsRow: Row {
    static let name = "postgresqlDue-subscriptions"
    static let summary =
        "the same as \(DueSubscriptionsRow.name) on PostgreSQL: 100 due subscriptions among 1,000,000 against 1,000"

    static func compare() async throws -> Comparison {
        let cluster = try BenchmarkCluster()
        return try await cluster.withDatabase { large in
            try await cluster.withDatabase { small in
                let largeDatabase = try large.open(connections: 4)
                let smallDatabase = try small.open(connections: 4)
                let comparison = try await DueSubscriptions.compare(largeDatabase, smallDatabase, isPostgreSQL: true)
                try largeDatabase.close()
                try smallDatabase.close()
                return comparison
            }
        }
    }
}

/// ``GrownStoreRow`` on PostgreSQL.
struct PostgreSQLGrownStoreRow: Row {
    static let name = "postgresqlPurchases-million"
    static let summary =
        "the same as \(GrownStoreRow.name) on PostgreSQL: a store with 1,000,000 purchases against one with 1,000"

    static func compare() async throws -> Comparison {
        let cluster = try BenchmarkCluster()
        return try await cluster.withDatabase { large in
            try await cluster.withDatabase { small in
                let largeDatabase = try large.open(connections: GrownStores.customers)
                let smallDatabase = try small.open(connections: GrownStores.customers)
                let comparison = try await GrownStores.compare(largeDatabase, smallDatabase, isPostgreSQL: true)
                try largeDatabase.close()
                try smallDatabase.close()
                return comparison
            }
        }
    }
}
#endif
