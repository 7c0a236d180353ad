// SPDX-License-Identifier: Apache-2.0

/// A transaction was added to this device's queue.
package struct TransactionEvent: NumberedEvent {
    package static let name = "transaction"

    package var transaction: TransactionInfo
    package var position: EventPosition

    package init(transaction: TransactionInfo, position: EventPosition) {
        self.transaction = transaction
        self.position = position
    }
}

extension StoreEvent {
    package static func transaction(_ transaction: TransactionInfo, _ position: EventPosition) -> StoreEvent {
        StoreEvent(TransactionEvent(transaction: transaction, position: position))
    }
}
