// SPDX-License-Identifier: Apache-2.0

/// Something that happened on an account, numbered under the account's row so
/// that order of number is order of commit.
package struct AccountEvent: Hashable, Sendable {
    /// What happened.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A transaction came into the queue of the event's device.
        package static let transaction = Kind(rawValue: "transaction")
        /// A transaction was finished and left every queue.
        package static let finished = Kind(rawValue: "finished")
        /// A purchase was refunded: it left every queue, and with a
        /// non-consumable the right to have it is gone. The event names the
        /// first purchase of the product.
        package static let revoked = Kind(rawValue: "revoked")
        /// Values that an app keeps for the account were written.
        package static let keyValues = Kind(rawValue: "key-values")
        /// The account's country is another one. It concerns every app.
        package static let storefront = Kind(rawValue: "storefront")
    }

    package var account: String
    package var number: Int64
    package var kind: Kind
    package var bundleIdentifier: String
    package var transactionIdentifier: String

    package init(
        account: String, number: Int64, kind: Kind, bundleIdentifier: String, transactionIdentifier: String
    ) {
        self.account = account
        self.number = number
        self.kind = kind
        self.bundleIdentifier = bundleIdentifier
        self.transactionIdentifier = transactionIdentifier
    }
}
