// SPDX-License-Identifier: Apache-2.0

/// A transaction was finished, or deleted in a test, and has left every queue.
package struct RemovedEvent: NumberedEvent {
    package static let name = "removed"

    package var transactionIdentifier: String
    /// Whether a receipt from before lists something else; `nil` from a store
    /// that doesn't say.
    package var receiptChanged: Bool?
    /// Set when the store has deleted the purchase; `nil` for a finished
    /// transaction.
    package var isForgotten: Bool?
    package var position: EventPosition

    package init(
        transactionIdentifier: String, receiptChanged: Bool?, isForgotten: Bool? = nil, position: EventPosition
    ) {
        self.transactionIdentifier = transactionIdentifier
        self.receiptChanged = receiptChanged
        self.isForgotten = isForgotten
        self.position = position
    }
}

extension StoreEvent {
    package static func removed(
        transactionIdentifier: String, receiptChanged: Bool? = nil, isForgotten: Bool? = nil, _ position: EventPosition
    ) -> StoreEvent {
        StoreEvent(
            RemovedEvent(
                transactionIdentifier: transactionIdentifier, receiptChanged: receiptChanged, isForgotten: isForgotten,
                position: position))
    }
}
