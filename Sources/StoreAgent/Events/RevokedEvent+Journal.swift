// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension RevokedEvent: NumberedJournalledEvent {
    func change(_ connection: any Connection, question: Int64, now: Int64) throws {
        try Journal.revoke(connection, [revoked], at: position, now: now)
    }
}
