// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension RemovedEvent: NumberedJournalledEvent {
    func change(_ connection: any Connection, question: Int64, now: Int64) throws {
        if let entry = try JournalEntry.load(connection, transaction: transactionIdentifier) {
            try Journal.depart(connection, entry, .removed, now: now)
        }
        if isForgotten ?? false { try Journal.forgetSigned(connection, transactionIdentifier) }
        if receiptChanged ?? true { try JournalState.update(connection) { $0.wantReceipt(position) } }
    }
}
