// SPDX-License-Identifier: Apache-2.0

package import StoreAPI

/// A product that the customer has lost by a refund.
///
/// It is delivered to the app after the receipt on disk reflects the refund.
/// The journal keeps it until the app has received it
/// (``Agent/acknowledge(_:)``).
package struct RevokedProduct: Sendable, Hashable {
    /// The product's identifier.
    package var product: String
    /// The position that the receipt must have reached.
    package var position: EventPosition

    /// Makes a revocation. Only the agent does so, for an app.
    package init(product: String, position: EventPosition) {
        self.product = product
        self.position = position
    }
}
