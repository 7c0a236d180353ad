// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension PriceIncreasesEvent: JournalledEvent {
    var arrivals: (transactions: [TransactionInfo], position: EventPosition?) { ([], nil) }

    func apply(_ connection: any Connection, question: Int64, now: Int64) throws {
        try JournalState.update(connection) { $0.priceIncreases = increases }
    }
}
