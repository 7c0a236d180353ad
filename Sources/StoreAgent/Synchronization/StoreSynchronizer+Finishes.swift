// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI

extension StoreSynchronizer {
    /// Sends a finish to the store until it is confirmed.
    func confirm(_ identifier: String) async throws {
        var backoff = Backoff(random)
        while let entry = try await journal.entry(identifier),
            entry.phase == .finished, let transaction = entry.transaction?.transactionIdentifier
        {
            do {
                faults.before(.confirm)
                // Each repeat has the same identifier, in later launches too.
                _ = try await store.call(
                    FinishCall(
                        requestIdentifier: "finish-\(transaction)", bundleIdentifier: folder.bundleIdentifier,
                        transactionIdentifier: transaction))
                faults.after(.confirm)
                try await journal.confirm(identifier, now: clock.now)
                return
            } catch let failure as StoreFailure where failure.code == .notFound {
                // The transaction left the store's queue in another way.
                try await journal.confirm(identifier, now: clock.now)
                return
            } catch {
                try Task.checkCancellation()
                logger.info("The store hasn't confirmed a finish yet: \(error)")
            }
            try await clock.sleep(for: backoff.next())
        }
    }
}
