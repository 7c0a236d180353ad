// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The time to restore an account with 10,000 purchases, and the memory that
/// the app needs for it.
struct RestoreRow: Row {
    static let name = "restore"
    static let summary =
        "transactions of a restore of 10,000, over HTTP until the app has received its end and finished each, against "
        + "`openssl speed rsa2048`: every one gets a signed receipt"

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            return try await withServer(store.server) { port in
                let account = try LongRestore(store, port: port, in: folder)
                let memory = Peak()
                var comparison = try await Comparison(
                    Side("transactions", each: LongRestore.purchases) {
                        let taken = try await account.restore()
                        memory.megabytes = max(memory.megabytes, taken.memory)
                        return Double(LongRestore.purchases) / taken.seconds
                    }.spending(in: store),
                    against: Side("signatures") { try await OpenSSLSpeed.rates(of: .rsa2048).signatures })
                comparison.notes.append("\(Int(memory.megabytes.rounded(.up))) MB at most in the app")
                return comparison
            }
        }
    }

    private final class Peak {
        var megabytes = 0.0
    }
}
