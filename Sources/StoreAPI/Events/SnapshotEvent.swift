// SPDX-License-Identifier: Apache-2.0

/// The whole unfinished queue. The store sends it when the device's position
/// is missing, too old or of another account.
package struct SnapshotEvent: StoreEventContent {
    package static let name = "snapshot"

    package var snapshot: QueueSnapshot

    package init(snapshot: QueueSnapshot) {
        self.snapshot = snapshot
    }
}

extension StoreEvent {
    package static func snapshot(_ snapshot: QueueSnapshot) -> StoreEvent {
        StoreEvent(SnapshotEvent(snapshot: snapshot))
    }
}
