// SPDX-License-Identifier: Apache-2.0

/// A refund has revoked a transaction or a chain, which has left every queue.
package struct RevokedEvent: NumberedEvent {
    package static let name = "revoked"

    package var revoked: RevokedInfo
    package var position: EventPosition

    package init(revoked: RevokedInfo, position: EventPosition) {
        self.revoked = revoked
        self.position = position
    }
}

extension StoreEvent {
    package static func revoked(_ revoked: RevokedInfo, _ position: EventPosition) -> StoreEvent {
        StoreEvent(RevokedEvent(revoked: revoked, position: position))
    }
}
