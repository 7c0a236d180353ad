// SPDX-License-Identifier: Apache-2.0

/// Synchronizes the key-value pairs of one app between a device and the
/// account.
///
/// The call has the device's writes, the answer those of other devices. The
/// last write of a key wins, in the order in which the store receives them.
package struct KeyValuesCall: AppCall, Hashable {
    package static let path = StorePath.keyValues

    @Limited<Identifier> package var bundleIdentifier: String
    /// The device's writes. A call writes a key at most once.
    @Limited<KeyValueWrites> package var writes: [KeyValueWrite]
    /// The account's last event whose values the device has; `nil` asks for
    /// all values. Nothing is written when the position is of another account
    /// than the one that is signed in.
    package var position: EventPosition?

    package init(bundleIdentifier: String, writes: [KeyValueWrite], position: EventPosition?) {
        self.bundleIdentifier = bundleIdentifier
        self.writes = writes
        self.position = position
    }

    /// The values that the device doesn't have yet, and the stored values of
    /// its refused writes.
    package struct Answer: Codable, Sendable, Hashable {
        /// The values that were written since the position, except those of
        /// this call.
        package var values: [KeyValueInfo]
        /// The stored values of the keys whose writes were refused because
        /// there is no room for them.
        package var refused: [KeyValueInfo]
        /// Whether `values` has all values of the account, including this
        /// device's. This is the case when the position is missing, is of
        /// another account, or is too old. A key that is neither in `values`
        /// nor in `refused` has no value then.
        package var isWhole: Bool
        /// The position that the device has with this answer; `nil` when no
        /// account is signed in. Nothing is written then.
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
    /// The value in base64; `nil` when it was removed.
    package var value: String?

    package init(key: String, value: String?) {
        self.key = key
        self.value = value
    }
}

/// A write of a key on a device.
package struct KeyValueWrite: Codable, Sendable, Hashable {
    @Limited<Identifier> package var key: String
    /// The value in base64; `nil` when it was removed.
    @Limited<Optionally<KeyValueText>> package var value: String?
    /// The number of the write, which increases from write to write. The
    /// store ignores a number that isn't larger than the last one it has
    /// received from the device, so that a repeat never overwrites a later
    /// write.
    @Limited<EventNumber> package var sequence: Int64

    package init(key: String, value: String?, sequence: Int64) {
        self.key = key
        self.value = value
        self.sequence = sequence
    }
}

/// The limits of an app's key-value pairs for an account (Apple's
/// documentation of `NSUbiquitousKeyValueStore`).
package enum KeyValueLimits {
    /// The number of keys that have a value.
    package static let keys = 1024
    /// The bytes of one key in UTF-8.
    package static let keyBytes = 64
    /// The bytes of all values together, and therefore of one value.
    package static let valueBytes = 1 << 20
}
