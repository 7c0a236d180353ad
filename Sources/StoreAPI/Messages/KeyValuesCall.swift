// SPDX-License-Identifier: Apache-2.0

/// Brings the account's key-value pairs of one app and a device's up to date
/// with one another: the device says what was written there, the store what
/// was written elsewhere. Who writes last wins, and the store decides who that
/// is by the order in which it hears of it.
package struct KeyValuesCall: AppCall, Hashable {
    package static let path = StorePath.keyValues

    @Limited<Identifier> package var bundleIdentifier: String
    @Limited<KeyValueWrites> package var writes: [KeyValueWrite]
    /// Until where the device knows what was written elsewhere; `nil` asks for
    /// everything. Nothing is written when the account isn't the one that is
    /// signed in.
    package var position: EventPosition?

    package init(bundleIdentifier: String, writes: [KeyValueWrite], position: EventPosition?) {
        self.bundleIdentifier = bundleIdentifier
        self.writes = writes
        self.position = position
    }

    package struct Answer: Codable, Sendable, Hashable {
        /// What was written elsewhere since the position.
        package var values: [KeyValueInfo]
        /// What the store has instead of writes for which there is no room.
        package var refused: [KeyValueInfo]
        /// Whether `values` is all that there is, this device's writes too,
        /// because the position was none, or another account's. A write that
        /// isn't among them was taken before, for another account.
        package var isWhole: Bool
        /// Until where the device is up to date then; `nil` when nobody is
        /// signed in, and nothing was written.
        package var position: EventPosition?

        package init(
            values: [KeyValueInfo] = [], refused: [KeyValueInfo] = [], isWhole: Bool = false,
            position: EventPosition? = nil
        ) {
            self.values = values
            self.refused = refused
            self.isWhole = isWhole
            self.position = position
        }
    }
}

/// A key with its value.
package struct KeyValueInfo: Codable, Sendable, Hashable {
    package var key: String
    /// Base64 of whatever the device keeps; `nil` when it was removed.
    package var value: String?

    package init(key: String, value: String?) {
        self.key = key
        self.value = value
    }
}

/// A key that was written on a device.
package struct KeyValueWrite: Codable, Sendable, Hashable {
    @Limited<Identifier> package var key: String
    /// Base64; `nil` when it was removed.
    @Limited<Optionally<KeyValueText>> package var value: String?
    /// Counts the device's writes: one that was heard already isn't written
    /// again, so that a repeat never overwrites a later one.
    @Limited<EventNumber> package var sequence: Int64

    package init(key: String, value: String?, sequence: Int64) {
        self.key = key
        self.value = value
        self.sequence = sequence
    }
}

/// How much an app may keep for an account (Apple's documentation of
/// `NSUbiquitousKeyValueStore`).
package enum KeyValueLimits {
    package static let keys = 1024
    /// Bytes of one key in UTF-8.
    package static let keyBytes = 64
    /// Bytes of all values together, and so of one.
    package static let valueBytes = 1 << 20
}
