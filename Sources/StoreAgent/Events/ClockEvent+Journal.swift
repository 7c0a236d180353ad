// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension ClockEvent: NumberedJournalledEvent {
    func change(_ connection: any Connection, question: Int64, now: Int64) throws {
        try JournalState.update(connection) { $0.clockOffset = offset }
    }
}
