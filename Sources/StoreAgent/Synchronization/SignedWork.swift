// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreDatabase

/// Fetches the signed transactions that the events announce. All pages are
/// one piece.
struct SignedWork: BackgroundWork {
    static let name = "signed transactions"
    let synchronizer: StoreSynchronizer

    func pieces(_ connection: any Connection) throws -> [WorkPiece] {
        guard try Journal.needsSigned(connection) else { return [] }
        return [WorkPiece(work: self)]
    }

    func perform(_ name: String) async throws {
        try await synchronizer.fetchSigned()
    }
}

extension StoreSynchronizer {
    /// Fetches pages until the journal has all that its events announce.
    fileprivate func fetchSigned() async throws {
        var backoff = Backoff(random)
        var asked: SignedTransactionsCall?
        while let question = try await journal.signedQuestion(
            of: folder.bundleIdentifier, version: configuration.applicationVersion)
        {
            // The answer to the same call was dropped, or hasn't reached the events' number: the store is behind its
            // own events.
            if question.call == asked { try await clock.sleep(for: backoff.next()) }
            asked = question.call
            do {
                let answer = try await store.call(question.call)
                faults.before(.signed)
                try await journal.signedAnswered(answer, to: question)
                faults.after(.signed)
                changed()
                continue
            } catch let error where error is StoreFailure || error is ConnectionFailure {
                backoff.heed(error)
                logger.info("The store has no signed transactions for this device now: \(error)")
            }
            try await clock.sleep(for: backoff.next())
        }
    }
}
