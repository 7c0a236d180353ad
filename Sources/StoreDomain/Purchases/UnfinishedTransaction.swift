// SPDX-License-Identifier: Apache-2.0

/// An unfinished transaction in a device's queue.
package struct UnfinishedTransaction: Hashable, Sendable {
    package var purchase: Purchase
    /// The identifier of the device's request that it answers; `nil` for a
    /// purchase that the app didn't ask for.
    package var requestIdentifier: RequestIdentifier?
    /// The number of the account's event that added it to the queue.
    package var eventNumber: Int64
    /// The newest hosted content of the product; `nil` when it has none.
    package var content: HostedContent.Summary?
}
