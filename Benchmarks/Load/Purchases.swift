// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Customers who buy at the same time, in rounds.
final class Purchases: Sendable {
    private let store: BenchmarkStore
    private let port: Int
    private let each: Int
    private let customers: [Customer]
    private let cookies: [String]
    private let rounds = Atomic(0)

    init(by count: Int, each: Int, in store: BenchmarkStore, at port: Int) async throws {
        var opened: [Customer] = []
        for number in 0..<count { opened.append(try await Customer(number, of: store)) }
        let customers = opened
        // Each password is checked only once: scrypt is slow on purpose.
        cookies = try await onThreads(customers.count) { index in
            let connection = try HTTPConnection(port: port)
            return try customers[index].signInBuying(over: connection)
        }
        (self.customers, self.store, self.port, self.each) = (customers, store, port, each)
    }

    var side: Side {
        Side("purchases", operations: customers.count * each) { [self] in
            let round = rounds.add(1, ordering: .relaxed).newValue
            let prefix = "round-\(round)"
            try await onThreads(customers.count) { [self] index in
                let connection = try HTTPConnection(port: port)
                for number in 0..<each {
                    try customers[index].buy(
                        request: "\(prefix)-\(number)", cookie: cookies[index], over: connection)
                }
            }
        }
    }

    /// Checks the tables: the rate of wrong results has no meaning.
    func check() async throws {
        try await store.expect(purchases: customers.count * (1 + rounds.load(ordering: .relaxed) * each))
    }
}
