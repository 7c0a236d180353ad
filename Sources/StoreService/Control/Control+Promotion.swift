// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

extension Control {
    /// Sets the products that a seller promotes on the page of an app; the
    /// answer is the same.
    package struct PromoteCall: Codable, Sendable {
        package var bundle: String
        /// At most 20 products, in the seller's order.
        package var products: [String]

        package init(bundle: String, products: [String]) {
            self.bundle = bundle
            self.products = products
        }
    }
}

extension StoreService {
    /// Carries out the call `promoteProducts`.
    func controlPromotion(_ body: Data) async throws -> Data {
        let call = try decode(Control.PromoteCall.self, from: body, of: Control.Verb.promoteProducts.rawValue)
        try await PromotingProducts(context)(
            call.products.map { ProductIdentifier($0) }, of: BundleIdentifier(call.bundle))
        return try encode(call)
    }
}
