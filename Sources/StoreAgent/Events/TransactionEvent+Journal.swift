// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension TransactionEvent: NumberedJournalledEvent {
    var arrivals: (transactions: [TransactionInfo], position: EventPosition?) { ([transaction], position) }

    func change(_ connection: any Connection, question: Int64, now: Int64) throws {
        try Journal.arrive(connection, transaction, position, question: question, now: now)
    }
}
