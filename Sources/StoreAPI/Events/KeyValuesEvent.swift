// SPDX-License-Identifier: Apache-2.0

/// The app's key-value pairs were written.
package struct KeyValuesEvent: NumberedEvent {
    package static let name = "key-values"

    package var position: EventPosition

    package init(position: EventPosition) {
        self.position = position
    }
}

extension StoreEvent {
    package static func keyValues(_ position: EventPosition) -> StoreEvent {
        StoreEvent(KeyValuesEvent(position: position))
    }
}
