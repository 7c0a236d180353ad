// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension PositionEvent: NumberedJournalledEvent {
    func change(_ connection: any Connection, question: Int64, now: Int64) throws {
    }
}
