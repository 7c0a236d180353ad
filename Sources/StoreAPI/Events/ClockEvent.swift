// SPDX-License-Identifier: Apache-2.0

/// The account's time was moved. Only a sandbox account's can be.
package struct ClockEvent: NumberedEvent {
    package static let name = "clock"

    /// The difference between the account's time and the store's, in
    /// milliseconds.
    @Limited<AnyNumber> package var offset: Int64
    package var position: EventPosition

    package init(offset: Int64, position: EventPosition) {
        self.offset = offset
        self.position = position
    }
}

extension StoreEvent {
    package static func clock(offset: Int64, _ position: EventPosition) -> StoreEvent {
        StoreEvent(ClockEvent(offset: offset, position: position))
    }
}
