// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A key of an app with its value for an account.
package struct KeyValue: Hashable, Sendable {
    package var key: String
    /// In Base64; `nil` when the key was removed.
    package var value: String?

    package init(key: String, value: String?) {
        self.key = key
        self.value = value
    }

    /// The number of bytes of the decoded value.
    var bytes: Int {
        value.flatMap { Data(base64Encoded: $0) }?.count ?? 0
    }

    /// The room that the values of an app take for an account.
    struct Usage: Hashable, Sendable {
        /// The number of keys that have a value.
        var keys: Int
        /// The number of bytes of all values.
        var bytes: Int
    }
}
