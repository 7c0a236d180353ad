// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import Synchronization

/// Customers who buy at the same time, in rounds.
final class Purchases: Sendable {
    private let store: BenchmarkStore
    private let ports: [Int]
    private let each: Int
    private let customers: [Customer]
    private let cookies: [String]
    private let books: BenchmarkStore.Books
    private let rounds = Atomic(0)
    /// The purchases outside of rounds.
    private let single = Atomic(0)

    /// Signs the customers in, at one node of the store or at several.
    convenience init(by count: Int, each: Int, in store: BenchmarkStore, at ports: Int...) async throws {
        var opened: [Customer] = []
        for number in 0..<count { opened.append(try await Customer(number, of: store)) }
        try await self.init(by: opened, each: each, in: store, at: ports)
    }

    init(by customers: [Customer], each: Int, in store: BenchmarkStore, at ports: [Int]) async throws {
        books = try await store.books
        // Each password is checked only once: scrypt is slow on purpose.
        cookies = try await onThreads(customers.count) { index in
            try customers[index].signInBuying(over: Self.connections(of: index, at: ports))
        }
        (self.customers, self.store, self.ports, self.each) = (customers, store, ports, each)
    }

    /// The customers who buy with a password once.
    var side: Side {
        Side("purchases", operations: customers.count * each) { [self] in try await buy() }.spending(in: store)
    }

    /// Every customer buys, once for each purchase of a round.
    func buy() async throws {
        let prefix = "round-\(rounds.add(1, ordering: .relaxed).newValue)"
        try await onThreads(customers.count) { [self] index in
            let connections = try Self.connections(of: index, at: ports)
            for number in 0..<each {
                try customers[index].buy(
                    request: "\(prefix)-\(number)", cookie: cookies[index], over: connections)
            }
        }
    }

    /// The first customer buys once.
    func buyOnce() async throws {
        let request = "single-\(single.add(1, ordering: .relaxed).newValue)"
        try await onThreads(1) { [self] _ in
            try customers[0].buy(
                request: request, cookie: cookies[0], over: Self.connections(of: 0, at: ports))
        }
    }

    /// The customers' rows in the store.
    var buyers: [Buyer] {
        get async throws {
            let emails = customers.map(\.email)
            let devices = customers.map(\.credentials.identifier)
            return try await store.context.database.read { connection in
                try zip(emails, devices).map { email, device in
                    let row = try connection.row(
                        """
                        SELECT account.account_id, sheet_session.token_hash
                        FROM account JOIN sheet_session
                            ON sheet_session.environment = account.environment
                            AND sheet_session.account_id = account.account_id
                        WHERE account.email = $1
                        """, [email])
                    guard let row else { throw BenchmarkFailure("\(email) isn't signed in.") }
                    return Buyer(
                        account: try row.get("account_id"), device: device, session: try row.get("token_hash"))
                }
            }
        }
    }

    /// A customer's account, device, and the stored form of the browser's
    /// cookie.
    struct Buyer: Sendable {
        var account: String
        var device: String
        var session: String
    }

    /// The number of purchases until now.
    var made: Int {
        customers.count * (1 + rounds.load(ordering: .relaxed) * each) + single.load(ordering: .relaxed)
    }

    /// Checks the tables: the rate of wrong results has no meaning.
    func check() async throws {
        try await store.expect(purchases: made, since: books)
    }

    /// The devices take turns with the nodes. The browser of a device is at
    /// another node than the device, if there is one.
    private static func connections(of customer: Int, at ports: [Int]) throws -> Connections {
        try Connections([ports[customer % ports.count], ports[(customer + 1) % ports.count]])
    }
}
