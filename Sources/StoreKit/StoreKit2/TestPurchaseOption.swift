// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An option of a purchase that a test session makes outside of the app.
package enum TestPurchaseOption: Hashable, Sendable {
    /// A promotional offer that no seller has signed.
    case promotionalOffer(String)
    /// The offer of a code, by its reference name.
    case codeOffer(String)
    /// The moment of the purchase, and whether a subscription renews from then
    /// on.
    case purchaseDate(Date, renews: Bool)
}

extension Product.PurchaseOption {
    /// An option that only a test session understands.
    package init(_ option: TestPurchaseOption) {
        value = .test(option)
    }
}
