// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

/// Apps write values while their account is closed: no value is left.
struct KeyValueRaceTests {
    @Test("An account is closed before each transaction of a synchronisation", arguments: Engine.stores)
    func eachTransaction(engine: Engine) async throws {
        try await engine.withTwoDatabases { one, other in
            let database = InterposedDatabase(one)
            let first = try await TestStore(database)
            let nodes = Nodes(first: first, second: try await TestStore(other, clock: first.clock, seed: 8))
            for number in 0..<100 {
                let customer = try await nodes.customer(number)
                let close: @Sendable () async throws -> Void = {
                    try await ClosingAccount(nodes.second.context)(
                        email: customer.account.email)
                }
                database.after(number, close)

                _ = try await customer.phone.exchange([("level", "1", Int64(number + 1))])

                guard database.cancel() else {
                    let left = try await nodes.first.count("key_value")
                    #expect(left == 0, "the account was closed after \(number) transactions")
                    continue
                }
                // A synchronisation has fewer transactions: it has written the value, and closing removes it.
                #expect(try await nodes.first.count("key_value") == 1)
                try await close()
                #expect(try await nodes.first.count("key_value") == 0)
                #expect(number > 2, "a synchronisation has \(number) transactions")
                return
            }
            Issue.record("a synchronisation has more than 100 transactions")
        }
    }

    @Test("Two nodes write values of an account that one of them closes", arguments: Engine.stores)
    func writes(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            var written = 0
            for round in 0..<(engine.isPostgreSQL ? 150 : 75) {
                let customer = try await nodes.customer(round)
                written += try await writeAndClose(customer, round: round, nodes)
                let left = try await nodes.first.count("key_value")
                try #require(left == 0, "the account that round \(round) closed has values")
            }
            // Some writes came before the closing.
            #expect(written > 0)
        }
    }

    /// Writes four values from the two nodes while the second one closes the
    /// account; returns how many writes came before that.
    private func writeAndClose(_ customer: Customer, round: Int, _ nodes: Nodes) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self, returning: Int.self) { group in
            for number in 0..<4 {
                let device = TestDevice(number: 1, store: nodes[number])
                group.addTask {
                    try await nodes[number].readTimes(number)
                    let answer = try await device.exchange([("key-\(number)", "1", Int64(4 * round + number + 1))])
                    return answer.position == nil ? 0 : 1
                }
            }
            group.addTask {
                try await nodes.second.readTimes(round % 8)
                try await ClosingAccount(nodes.second.context)(
                    email: customer.account.email)
                return 0
            }
            return try await group.reduce(0, +)
        }
    }
}
