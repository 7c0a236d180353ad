// SPDX-License-Identifier: Apache-2.0

/// A transaction was finished and has left every queue.
package struct RemovedEvent: NumberedEvent {
    package static let name = "removed"

    package var transactionIdentifier: String
    /// Whether a receipt from before lists something else; `nil` from a store
    /// that doesn't say.
    package var receiptChanged: Bool?
    package var position: EventPosition

    package init(transactionIdentifier: String, receiptChanged: Bool?, position: EventPosition) {
        self.transactionIdentifier = transactionIdentifier
        self.receiptChanged = receiptChanged
        self.position = position
    }
}

extension StoreEvent {
    package static func removed(
        transactionIdentifier: String, receiptChanged: Bool? = nil, _ position: EventPosition
    ) -> StoreEvent {
        StoreEvent(
            RemovedEvent(
                transactionIdentifier: transactionIdentifier, receiptChanged: receiptChanged, position: position))
    }
}
