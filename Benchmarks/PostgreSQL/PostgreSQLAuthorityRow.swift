// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import AppReceipts
import Foundation
import StoreDatabase
import StoreDomain
import StorePostgreSQL

/// The same on PostgreSQL, where the nodes of a store share the authority in
/// its database, encrypted with the operator's key.
struct PostgreSQLAuthorityRow: Row {
    static let name = "postgresqlAuthority"
    static let summary =
        "receipts with one purchase, signed on one thread by the encrypted authority in a PostgreSQL store's "
        + "database, as `serve` has it, against `openssl speed rsa2048`"

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            try await BenchmarkCluster().withDatabase { cluster in
                let database = try cluster.open(connections: 4)
                let store = try await BenchmarkStore(database)
                let opening = OpeningAuthority(
                    store.context, protection: .encrypted(try key()), keys: .none,
                    profile: .sandbox(publicAddress: BenchmarkStore.publicURL))
                let opened = try await onThreads(1) { _ in
                    try opening(takingOver: folder.appending(path: "authority", directoryHint: .isDirectory))
                }[0]
                let comparison = try await ServedAuthority.compare(opened.authority, in: store)
                try database.close()
                return comparison
            }
        }
    }

    private static func key() throws -> AuthorityKey {
        let random = RandomSource(SystemRandomNumberGenerator())
        guard let key = AuthorityKey(random.hexadecimal(bytes: 32)) else {
            throw BenchmarkFailure("64 hexadecimal digits are no key.")
        }
        return key
    }
}
#endif
