// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreAPI

/// The values that an app stores for the account on all of its devices.
extension Agent {
    /// Returns all keys with their values, as stored on this device.
    ///
    /// - Throws: `DatabaseError`.
    package func keyValues() throws -> [String: Data] {
        try journal.keyValues()
    }

    /// Sets a value, or removes it with `nil`. When this returns, the change
    /// is durable in the journal; it is sent to the store as soon as
    /// possible.
    ///
    /// - Throws: ``AgentError`` with the code `keyValues` for a key that is
    ///   too long or when there is no room, `DatabaseError`.
    package func setKeyValue(_ value: Data?, for key: String) throws {
        try journal.write(KeyValueInfo(key: key, value: value?.base64EncodedString()), now: clock.now)
        synchronizer.changed()
    }

    /// Starts to synchronize this device's values with the account's. They
    /// stay synchronized from then on.
    ///
    /// - Throws: `DatabaseError`.
    package func synchronizeKeyValues() throws {
        try journal.useKeyValues()
        synchronizer.changed()
    }

    /// Calls a handler on a queue of the agent when values from the store
    /// have changed this device's. A second handler replaces the first one.
    package func observeKeyValues(_ handler: @escaping @Sendable (KeyValueNews) -> Void) {
        delivery.observeKeyValues(handler)
    }
}

/// Keys whose values the store has changed on this device.
package struct KeyValueNews: Sendable, Hashable {
    /// The reason of the change. The raw values are Apple's.
    package enum Reason: Int, Sendable {
        case server = 0
        case initialSync = 1
        case quotaViolation = 2
        case accountChange = 3
    }

    package var reason: Reason
    package var keys: [String]

    package init(reason: Reason, keys: [String]) {
        self.reason = reason
        self.keys = keys
    }
}
