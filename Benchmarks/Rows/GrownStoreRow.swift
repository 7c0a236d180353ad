// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreMeasurement

/// Whether a purchase takes as long in a store with years of sales.
struct GrownStoreRow: Row {
    static let name = "purchases-million"
    static let summary =
        "durable purchases through HTTP, by 32 concurrent customers, in a store with 1,000,000 purchases against a store "
        + "with 1,000"

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            var databases: [SQLiteDatabase] = []
            for name in ["large", "small"] {
                databases.append(try SQLiteDatabase(.file(folder.appending(path: "\(name).sqlite").path)))
            }
            let comparison = try await GrownStores.compare(databases[0], databases[1], isPostgreSQL: false)
            for database in databases { try database.close() }
            return comparison
        }
    }
}

enum GrownStores {
    static let customers = 32
    private static let purchasesEach = 10

    /// Fills both databases and compares the stores on them.
    static func compare(
        _ largeDatabase: any Database, _ smallDatabase: any Database, isPostgreSQL: Bool
    ) async throws -> Comparison {
        let large = try await BenchmarkStore(largeDatabase)
        let small = try await BenchmarkStore(smallDatabase)
        try await GrownStore(largeDatabase, isPostgreSQL: isPostgreSQL).fill()
        try await GrownStore(smallDatabase, isPostgreSQL: isPostgreSQL, purchases: 1000).fill()
        return try await withServer(large.server) { port in
            try await withServer(small.server) { smallPort in
                let buying = try await Purchases(by: customers, each: purchasesEach, in: large, at: port)
                let buyingInSmall = try await Purchases(by: customers, each: purchasesEach, in: small, at: smallPort)
                let comparison = try await Comparison(buying.side, against: buyingInSmall.side)
                try await buying.check()
                try await buyingInSmall.check()
                return comparison
            }
        }
    }
}
