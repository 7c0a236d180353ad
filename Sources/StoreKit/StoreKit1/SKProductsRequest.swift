// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreAgent

/// Requests information about products from the store, in the customer's
/// language and storefront.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKProductsRequest: SKRequest {
    private let productIdentifiers: Set<String>

    /// The object that receives the products.
    @_nonoverride
    open weak var delegate: (any SKProductsRequestDelegate)? {
        get { super.delegate as? any SKProductsRequestDelegate }
        set { super.delegate = newValue }
    }

    /// A request for the products with these identifiers.
    public init(productIdentifiers: Set<String>) {
        self.productIdentifiers = productIdentifiers
        super.init()
    }

    /// A request for no products.
    public override init() {
        productIdentifiers = []
        super.init()
    }

    /// Sends the request. Starting a running request changes nothing.
    open override func start() {
        let identifiers = productIdentifiers.sorted()
        begin { agent in
            try await agent.products(identifiers)
        } answered: { request, answer in
            guard let request = request as? SKProductsRequest else { return }
            request.delegate?.productsRequest(request, didReceive: SKProductsResponse(answer))
        }
    }
}

/// Receives the answer to a products request.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The store has answered; `requestDidFinish` follows.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
