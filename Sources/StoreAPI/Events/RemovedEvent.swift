// SPDX-License-Identifier: Apache-2.0

/// A transaction was finished and has left every queue.
package struct RemovedEvent: NumberedEvent {
    package static let name = "removed"

    package var transactionIdentifier: String
    package var position: EventPosition

    package init(transactionIdentifier: String, position: EventPosition) {
        self.transactionIdentifier = transactionIdentifier
        self.position = position
    }
}

extension StoreEvent {
    package static func removed(transactionIdentifier: String, _ position: EventPosition) -> StoreEvent {
        StoreEvent(RemovedEvent(transactionIdentifier: transactionIdentifier, position: position))
    }
}
