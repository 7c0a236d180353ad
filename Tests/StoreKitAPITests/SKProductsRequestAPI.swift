// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKProductsRequestAPI(_ delegate: any SKProductsRequestDelegate) {
    let identifiers: Set<String> = ["com.example.fruit"]
    let request: SKProductsRequest = SKProductsRequest(productIdentifiers: identifiers)
    let _: SKProductsRequest = SKProductsRequest()
    let _: SKRequest = request
    let _: (any SKProductsRequestDelegate)? = request.delegate
    request.delegate = delegate
    let _: () = request.start()
    let _: () = request.cancel()
}

func checkSKProductsRequestDelegateAPI(
    _ delegate: any SKProductsRequestDelegate, _ request: SKProductsRequest, _ response: SKProductsResponse
) {
    let _: any SKRequestDelegate = delegate
    let _: () = delegate.productsRequest(request, didReceive: response)
}

func checkSKProductsResponseAPI(_ response: SKProductsResponse) {
    let _: NSObject = response
    let _: any Sendable = response
    let _: SKProductsResponse = SKProductsResponse()
    let _: [SKProduct] = response.products
    let _: [String] = response.invalidProductIdentifiers
}

/// A subclass of the request, as an app's tests use it to answer without a
/// store.
class DerivedProductsRequest: SKProductsRequest {
    var started = 0
    override var delegate: (any SKProductsRequestDelegate)? {
        get { super.delegate }
        set { super.delegate = newValue }
    }
    override init(productIdentifiers: Set<String>) { super.init(productIdentifiers: productIdentifiers) }
    override func start() {
        started += 1
        delegate?.productsRequest(self, didReceive: DerivedProductsResponse())
        delegate?.requestDidFinish(self)
    }
    override func cancel() {}
}

class DerivedProductsResponse: SKProductsResponse, @unchecked Sendable {
    override var products: [SKProduct] { [DerivedProduct()] }
    override var invalidProductIdentifiers: [String] { ["com.example.stone"] }
}

final class ProductsDelegate: NSObject, SKProductsRequestDelegate {
    var received: [SKProduct] = []
    var finished = 0
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        received = response.products
    }
    func requestDidFinish(_ request: SKRequest) { finished += 1 }
}
