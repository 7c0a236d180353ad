// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

extension ContentOffer {
    /// Describes the newest content of a product to a device.
    init(_ content: HostedContent.Summary, of product: ProductIdentifier) {
        self.init(
            product: product.rawValue, version: content.version, length: content.files.bytes,
            files: content.files.count)
    }

    /// The offers of a purchase's transaction; `nil` for a product without
    /// content, and for a purchase that was refunded.
    static func offers(of purchase: Purchase, _ content: HostedContent.Summary?) -> [ContentOffer]? {
        guard purchase.revoked == nil, let content else { return nil }
        return [ContentOffer(content, of: purchase.productIdentifier)]
    }
}
