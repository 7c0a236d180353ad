// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import StoreAPI

/// What an app keeps for the account on all of its devices.
extension Agent {
    /// Every key with its value, as this device knows them.
    ///
    /// - Throws: `DatabaseError`.
    package func keyValues() throws -> [String: Data] {
        try journal.keyValues()
    }

    /// Sets a value, or removes it with `nil`; when this returns it is in the
    /// journal, durably, and the store is told as soon as it can be.
    ///
    /// - Throws: ``AgentError`` with the code `keyValues` for a key that is too
    ///   long or when there is no room, `DatabaseError`.
    package func setKeyValue(_ value: Data?, for key: String) throws {
        try journal.write(KeyValueInfo(key: key, value: value?.base64EncodedString()), now: clock.now)
        talker.changed()
    }

    /// Brings this device and the account up to date with one another, now
    /// and from now on.
    ///
    /// - Throws: `DatabaseError`.
    package func synchronizeKeyValues() throws {
        try journal.useKeyValues()
        talker.changed()
    }

    /// Tells of values that were changed elsewhere, on a queue of the agent's
    /// own. A second handler takes the first one's place.
    package func observeKeyValues(_ handler: @escaping @Sendable (KeyValueNews) -> Void) {
        delivery.observeKeyValues(handler)
    }
}

/// Keys whose values aren't what this process wrote last.
package struct KeyValueNews: Sendable, Hashable {
    /// Why they changed. The raw values are Apple's.
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
