// SPDX-License-Identifier: Apache-2.0

/// An event of the account that changes no queue. It advances the position.
package struct PositionEvent: NumberedEvent {
    package static let name = "position"

    package var position: EventPosition
    /// Whether a receipt from before lists something else; absent when it
    /// doesn't.
    package var receiptChanged: Bool?
    /// The purchase whose refund was taken back; absent for another event. The
    /// device removes the revocation that its app hasn't received.
    package var reinstated: RevokedInfo?

    package init(position: EventPosition, receiptChanged: Bool? = nil, reinstated: RevokedInfo? = nil) {
        self.position = position
        self.receiptChanged = receiptChanged
        self.reinstated = reinstated
    }
}

extension StoreEvent {
    package static func position(
        _ position: EventPosition, receiptChanged: Bool? = nil, reinstated: RevokedInfo? = nil
    ) -> StoreEvent {
        StoreEvent(PositionEvent(position: position, receiptChanged: receiptChanged, reinstated: reinstated))
    }
}
