// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The cost of typed passwords. Each is hashed by scrypt, which is slow on
/// purpose: a store on as many cores can't check more than bare hashes.
struct PasswordsRow: Row {
    static let name = "passwords"
    static let summary =
        "passwords typed into sheets, one to sign in and one to buy each time, by 16 concurrent customers, against bare "
        + "scrypt hashes of the same parameters on all cores"

    private static let customers = 16
    private static let purchasesEach = 5
    private static let hashesEach = 40

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            var opened: [Customer] = []
            for number in 0..<customers { opened.append(try await Customer(number, of: store)) }
            let customers = opened
            return try await withServer(store.server) { port in
                try await onThreads(customers.count) { index in
                    try customers[index].registerDevice(over: HTTPConnection(port: port))
                }
                let rounds = Atomic(0)
                let passwords = customers.count * purchasesEach * 2
                let comparison = try await Comparison(
                    Side("passwords", operations: passwords) {
                        let prefix = "round-\(rounds.add(1, ordering: .relaxed).newValue)"
                        try await onThreads(customers.count) { index in
                            let connections = try Connections([port])
                            for number in 0..<purchasesEach {
                                try customers[index].buyWithPassword(
                                    request: "\(prefix)-\(number)", over: connections)
                            }
                        }
                    }.spending(in: store),
                    against: SwiftCryptoSpeed.hashingPasswords(times: hashesEach))
                try await store.expect(purchases: passwords / 2 * rounds.load(ordering: .relaxed))
                return comparison
            }
        }
    }
}
