// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

/// The request concerns the customer and no app: only the position moves. `StoreSynchronizer.show(_:)` shows it.
extension ChildRequestEvent: NumberedJournalledEvent {
    func change(_ connection: any Connection, question: Int64, now: Int64) throws {}
}
