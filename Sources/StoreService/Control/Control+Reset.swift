// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension Control {
    /// Empties the store.
    package struct ResetCall: Codable, Sendable {
        package init() {}
    }
}

extension StoreService {
    /// Empties the store, and ends the event streams of this process: their
    /// devices connect again and register. The other nodes end theirs in the
    /// next round of ``catchUp()``.
    ///
    /// - Throws: The errors of `ResettingStore`.
    package func reset() async throws {
        try await ResettingStore(context)()
        hub.end(streamsOf: hub.devices)
    }
}
