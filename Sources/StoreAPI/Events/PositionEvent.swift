// SPDX-License-Identifier: Apache-2.0

/// An event of the account that changes no queue. It advances the position.
package struct PositionEvent: NumberedEvent {
    package static let name = "position"

    package var position: EventPosition
    /// Whether a receipt from before lists something else; absent when it
    /// doesn't.
    package var receiptChanged: Bool?

    package init(position: EventPosition, receiptChanged: Bool? = nil) {
        self.position = position
        self.receiptChanged = receiptChanged
    }
}

extension StoreEvent {
    package static func position(_ position: EventPosition, receiptChanged: Bool? = nil) -> StoreEvent {
        StoreEvent(PositionEvent(position: position, receiptChanged: receiptChanged))
    }
}
