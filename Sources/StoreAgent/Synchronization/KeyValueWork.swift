// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreDatabase

/// Synchronizes the key-value pairs with the account's. All of them are one
/// piece.
struct KeyValueWork: BackgroundWork {
    static let name = "key values"
    let synchronizer: StoreSynchronizer

    func pieces(_ connection: any Connection) throws -> [WorkPiece] {
        guard try Journal.needsKeyValues(connection) else { return [] }
        return [WorkPiece(work: self)]
    }

    func perform(_ name: String) async throws {
        try await synchronizer.synchronizeKeyValues()
    }
}

extension StoreSynchronizer {
    /// Sends this device's writes to the store and saves the values of the
    /// answers until both are synchronized.
    fileprivate func synchronizeKeyValues() async throws {
        var backoff = Backoff(random)
        while try await journal.needsKeyValues() {
            let (call, wanted) = try await journal.keyValueQuestion(of: folder.bundleIdentifier)
            do {
                let answer = try await store.call(call)
                try await journal.keyValuesAnswered(answer, to: call, wanted: wanted)
                changed()
                continue
            } catch let error where error is StoreFailure || error is ConnectionFailure {
                backoff.heed(error)
                logger.info("The key-value store isn't up to date: \(error)")
            }
            try await clock.sleep(for: backoff.next())
        }
    }
}
