// SPDX-License-Identifier: Apache-2.0

extension Agent {
    /// A receiver of updates in this process, for example StoreKit 1's payment
    /// queue.
    ///
    /// Every subscriber receives every transaction that this process may
    /// deliver. The agent records for each one separately which updates it has
    /// received.
    package struct Subscriber: Sendable, Hashable {
        private let name: String

        /// StoreKit 1's payment queue, which passes the updates to the app's
        /// observers.
        package static let paymentQueue = Subscriber("paymentQueue")

        /// StoreKit 2's listeners and waiting purchases.
        package static let transactions = Subscriber("transactions")

        /// Makes a subscriber with a name that no other one in this process
        /// has.
        package init(_ name: String) {
            self.name = name
        }
    }
}
