// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDatabase

/// The cost of a purchase from the app's call to the finished transaction,
/// with the agents' journals, their receipts and the event streams. The agents
/// share the machine with the store.
struct AgentsRow: Row {
    static let name = "agents"
    static let summary =
        "durable purchases of 8 apps with real agents, each with its app receipt and its own receipt on the device, "
        + "against the store's statements of them alone, replayed through SQLite's C interface with a commit for each "
        + "write"

    private static let customers = 8
    private static let purchasesEach = 10

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            let trust = folder.appending(path: "root.cer")
            try BenchmarkStore.authority.get().rootCertificate.write(to: trust)
            return try await withServer(store.server) { port in
                var opened: [AgentCustomer] = []
                for number in 0..<customers {
                    opened.append(try await AgentCustomer(number, of: store, at: port, in: folder, trust: trust))
                }
                let agents = opened
                return try await withThrowingTaskGroup(of: Void.self) { group in
                    for agent in agents { group.addTask { try await agent.run() } }
                    let comparison = try await compare(agents, in: store, folder)
                    group.cancelAll()
                    try await group.waitForAll()
                    return comparison
                }
            }
        }
    }

    private static func compare(
        _ agents: [AgentCustomer], in store: BenchmarkStore, _ folder: URL
    ) async throws -> Comparison {
        // The first purchase of a device needs the password.
        try await buy(1, by: agents)
        try await settle(store)
        let replay = try await SQLiteReplay(of: store, in: folder, operations: customers * purchasesEach) {
            try await buy(purchasesEach, by: agents)
            try await settle(store)
        }
        let books = try await store.books
        let comparison = try await Comparison(
            Side("purchases", operations: customers * purchasesEach) {
                try await buy(purchasesEach, by: agents)
            }.spending(in: store),
            against: replay.side(writesPerCommit: 1),
            beside: [
                (
                    "`openssl speed rsa2048`:",
                    Side("signatures") { try await OpenSSLSpeed.rates(of: .rsa2048).signatures }
                )
            ])
        try await settle(store)
        try await store.expect(
            purchases: (1 + Comparison.rounds) * customers * purchasesEach, since: books)
        return comparison
    }

    private static func buy(_ count: Int, by agents: [AgentCustomer]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for agent in agents {
                group.addTask { for _ in 0..<count { try await agent.buy() } }
            }
            try await group.waitForAll()
        }
    }

    /// Waits until the store has received every finish of the agents.
    private static func settle(_ store: BenchmarkStore) async throws {
        for _ in 0..<600 {
            if try await store.books.unfinished == 0 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchmarkFailure("The store has unfinished purchases after 30 s.")
    }
}
