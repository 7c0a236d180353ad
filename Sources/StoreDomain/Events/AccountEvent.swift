// SPDX-License-Identifier: Apache-2.0

/// A change of an account. Events are numbered under the lock of the
/// account's row, so that the order of the numbers is the order of the
/// commits.
package struct AccountEvent: Hashable, Sendable {
    /// The kind of change.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A transaction was added to the queues of one or more devices.
        package static let transaction = Kind(rawValue: "transaction")
        /// An unfinished consumable was moved to the queue of another device
        /// (``HandingOverConsumables``).
        package static let handedOver = Kind(rawValue: "handed-over")
        /// A transaction was finished, and removed from every queue.
        package static let finished = Kind(rawValue: "finished")
        /// A purchase was refunded: it was removed from every queue, and the
        /// right to own a non-consumable ended.
        package static let revoked = Kind(rawValue: "revoked")
        /// The refund of a purchase was taken back: the customer has it again.
        package static let reinstated = Kind(rawValue: "reinstated")
        /// Values that an app stores for the account were written or removed.
        package static let keyValues = Kind(rawValue: "key-values")
        /// The receipt lists other values of a transaction, and no queue has
        /// changed.
        package static let receipt = Kind(rawValue: "receipt")
        /// A customer was informed of a higher price of a subscription, or has
        /// answered, or the price was withdrawn.
        package static let priceIncrease = Kind(rawValue: "price-increase")
        /// The renewal of a subscription has changed, or its state after the
        /// period's end, and no transaction.
        package static let renewal = Kind(rawValue: "renewal")
        /// The customer has asked for a refund of a purchase.
        package static let refundRequest = Kind(rawValue: "refund-request")
        /// A purchase was deleted with all its rows, in a test.
        package static let forgotten = Kind(rawValue: "forgotten")
        /// A member of the family asks to buy, and the account is a parent's
        /// (``NotifyingParents``). The event concerns every app, and its
        /// transaction is the other account's.
        package static let childRequest = Kind(rawValue: "child-request")
        /// The time of a sandbox account was moved. The event concerns every
        /// app.
        package static let clock = Kind(rawValue: "clock")
        /// The account moved to another storefront. The event concerns every
        /// app.
        package static let storefront = Kind(rawValue: "storefront")
    }

    /// The identifier of the account.
    package var account: AccountIdentifier
    /// The number of the event; an account's first event has the number 1.
    package var number: Int64
    package var kind: Kind
    /// The app that the event concerns; empty when it concerns every app.
    package var bundleIdentifier: BundleIdentifier
    /// The transaction that the event concerns; empty for `keyValues`,
    /// `clock` and `storefront`.
    package var transactionIdentifier: TransactionIdentifier
    /// The account's time of the event.
    package var time: StoreTime
    /// Whether the receipt on a device lists something else after it. A
    /// finished consumable leaves the receipt when the receipt is updated for
    /// another reason ("Persisting Using the App Receipt" of the programming
    /// guide).
    package var changesReceipt: Bool

    /// A place in the order of an account's events.
    package struct Position: Hashable, Sendable {
        package var account: AccountIdentifier
        package var number: Int64

        package init(account: AccountIdentifier, number: Int64) {
            self.account = account
            self.number = number
        }
    }
}
