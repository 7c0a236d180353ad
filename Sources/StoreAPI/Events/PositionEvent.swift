// SPDX-License-Identifier: Apache-2.0

/// Another event of the account, which only advances the position.
package struct PositionEvent: NumberedEvent {
    package static let name = "position"

    package var position: EventPosition

    package init(position: EventPosition) {
        self.position = position
    }
}

extension StoreEvent {
    package static func position(_ position: EventPosition) -> StoreEvent {
        StoreEvent(PositionEvent(position: position))
    }
}
