// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import StoreAPI

/// What the store knows of the products that were asked for, and what it
/// doesn't.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKProductsResponse: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; what it stores is immutable.
    private let received: (products: [SKProduct], invalidProductIdentifiers: [String])

    /// One product for each identifier that the store knows.
    open var products: [SKProduct] { received.products }
    /// Identifiers that this app doesn't sell: misspelled, another app's, or
    /// not for sale.
    open var invalidProductIdentifiers: [String] { received.invalidProductIdentifiers }

    /// An empty response, for test doubles to derive from.
    public override init() {
        received = ([], [])
        super.init()
    }

    init(_ answer: ProductsCall.Answer) {
        received = (answer.products.map(SKProduct.init), answer.invalidProductIdentifiers)
        super.init()
    }
}
