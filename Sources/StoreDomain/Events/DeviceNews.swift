// SPDX-License-Identifier: Apache-2.0

/// A change that concerns one device, and no account's events: a request's
/// answer has changed, or another account is signed in.
///
/// News are numbered per device under the lock of the device's row, so that
/// the order of the numbers is the order of the commits, on all nodes.
package struct DeviceNews: Hashable, Sendable {
    /// The kind of change.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The answer to a request of the device has changed.
        package static let request = Kind(rawValue: "request")
        /// Another account is signed in on the device, or none.
        package static let account = Kind(rawValue: "account")
    }

    /// The number of the news; a device's first news has the number 1.
    package var number: Int64
    package var kind: Kind
    /// The request whose answer has changed; `nil` for other kinds.
    package var request: RequestIdentifier?
}
