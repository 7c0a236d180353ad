// SPDX-License-Identifier: Apache-2.0

import StoreAPI

extension StoreSynchronizer {
    /// Saves transactions by a closure, and starts the downloads of the new
    /// ones if this is the daemon and no process of the app runs.
    ///
    /// A process that ends between both leaves the downloads offered: the app
    /// starts them at its next launch.
    func startingDownloads<Result: Sendable>(
        of transactions: [TransactionInfo], _ save: () async throws -> Result
    ) async throws -> Result {
        guard system.startsDownloads, !transactions.isEmpty else { return try await save() }
        let new = try await journal.unknown(transactions)
        let result = try await save()
        try await journal.startOffers(of: new, isAlive: isAlive)
        return result
    }
}
