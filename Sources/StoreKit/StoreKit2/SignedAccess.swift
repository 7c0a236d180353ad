// SPDX-License-Identifier: Apache-2.0

import StoreAgent

/// Prepares an agent for the first reading of signed transactions.
enum SignedAccess {
    /// The longest time that a function waits for the store.
    static let longestWait: Duration = .seconds(30)
    /// The longest time that the first reading on a device waits for the store;
    /// a device that is offline then shows no transactions.
    private static let firstWait: Duration = .seconds(5)

    /// Makes the agent fetch signed transactions, and waits for the first ones.
    ///
    /// - Throws: `CancellationError`, `DatabaseError`.
    static func prepare(_ agent: Agent) async throws {
        try await agent.useSignedTransactions()
        try await agent.waitForFirstSignedTransactions(atMost: firstWait)
    }
}
