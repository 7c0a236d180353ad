// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension PositionEvent: NumberedJournalledEvent {
    func change(_ connection: any Connection, question: Int64, now: Int64) throws {
        if let reinstated { try Journal.reinstate(connection, [reinstated], in: position.account) }
        if receiptChanged == true { try JournalState.update(connection) { $0.wantReceipt(position) } }
    }
}
