// SPDX-License-Identifier: Apache-2.0

import StoreKit

// The files in this folder only have to compile: each uses every public symbol
// of one of Apple's types with its explicit type.

func checkSKRequestAPI(_ request: SKRequest, _ delegate: any SKRequestDelegate) {
    let _: NSObject = request
    let _: SKRequest = SKRequest()
    let _: (any SKRequestDelegate)? = request.delegate
    request.delegate = delegate
    let _: () = request.start()
    let _: () = request.cancel()
}

func checkSKRequestDelegateAPI(_ delegate: any SKRequestDelegate, _ request: SKRequest, _ error: any Error) {
    let _: any NSObjectProtocol = delegate
    let _: () = delegate.requestDidFinish(request)
    let _: () = delegate.request(request, didFailWithError: error)
    let _: ()? = delegate.requestDidFinish?(request)
    let _: ()? = delegate.request?(request, didFailWithError: error)
    // swift-format-ignore: NeverForceUnwrap
    let _: () = delegate.request!(request, didFailWithError: error)
}

/// Both methods are optional.
final class SilentRequestDelegate: NSObject, SKRequestDelegate {}

final class RequestDelegate: NSObject, SKRequestDelegate {
    func requestDidFinish(_ request: SKRequest) {}
    func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

final class DerivedRequest: SKRequest {
    override init() { super.init() }
    override func start() { delegate?.requestDidFinish(self) }
    override func cancel() {}
}
