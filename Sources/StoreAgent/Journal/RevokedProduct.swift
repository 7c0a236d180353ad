// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// A product that the customer has lost by a refund.
///
/// It is delivered to the app after the receipt on disk reflects the refund,
/// and then deleted.
struct RevokedProduct: Sendable, Hashable {
    var product: String
    /// The position that the receipt must have reached.
    var position: EventPosition
}
