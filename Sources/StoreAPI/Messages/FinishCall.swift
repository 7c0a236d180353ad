// SPDX-License-Identifier: Apache-2.0

/// Removes a transaction from the queue, because the app has finished it.
/// Repeating it changes nothing.
package struct FinishCall: AppCall, Hashable {
    package static let path = StorePath.finish

    @Limited<Identifier> package var bundleIdentifier: String
    @Limited<Identifier> package var transactionIdentifier: String
    /// Derived from the transaction, so that it is the same in each repeat.
    /// Only a store of an older version reads it: such a store refuses a call
    /// without it.
    @Limited<Optionally<RequestIdentifierText>> package var requestIdentifier: String?

    package init(bundleIdentifier: String, transactionIdentifier: String) {
        self.bundleIdentifier = bundleIdentifier
        self.transactionIdentifier = transactionIdentifier
        requestIdentifier = "finish-\(transactionIdentifier)"
    }

    /// An empty answer: the transaction isn't in the device's queue any more.
    package struct Answer: Codable, Sendable, Hashable {
        package init() {}
    }
}
