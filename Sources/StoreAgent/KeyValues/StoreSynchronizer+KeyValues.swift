// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI

extension StoreSynchronizer {
    /// Sends this device's writes to the store and saves the values of the
    /// answers until both are synchronized.
    func synchronizeKeyValues() async throws {
        var backoff = Backoff(random)
        while try await journal.workload().needsKeyValues {
            let (call, wanted) = try await journal.keyValueQuestion(of: folder.bundleIdentifier)
            do {
                let answer = try await store.call(call)
                try await journal.keyValuesAnswered(answer, to: call, wanted: wanted)
                changed()
                continue
            } catch let error where error is StoreFailure || error is ConnectionFailure {
                logger.info("The key-value store isn't up to date: \(error)")
            }
            try await clock.sleep(for: backoff.next())
        }
    }
}
