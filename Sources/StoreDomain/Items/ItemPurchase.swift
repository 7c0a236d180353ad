// SPDX-License-Identifier: Apache-2.0

/// The item that a purchase has brought to an account, in the version of that
/// moment. The date and the price are those of the purchase.
package struct ItemPurchase: Hashable, Sendable {
    package var transaction: TransactionIdentifier
    /// The identifier of the item.
    package var item: Int64
    /// The version that was sold then, such as `1.0`.
    package var version: String
}
