// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKReceiptRefreshRequestAPI(_ delegate: any SKRequestDelegate) {
    let request: SKReceiptRefreshRequest = SKReceiptRefreshRequest()
    let _: SKReceiptRefreshRequest = SKReceiptRefreshRequest(receiptProperties: nil)
    let _: SKReceiptRefreshRequest = SKReceiptRefreshRequest(receiptProperties: [
        SKReceiptPropertyIsExpired: true, SKReceiptPropertyIsRevoked: true, SKReceiptPropertyIsVolumePurchase: true,
    ])
    let _: SKRequest = request
    let _: [String: Any]? = request.receiptProperties
    request.delegate = delegate
    let _: () = request.start()
    let _: () = request.cancel()
    let _: () -> Void = SKTerminateForInvalidReceipt
}

func checkReceiptURL() {
    let _: URL? = Bundle.main.appStoreReceiptURL
}

class DerivedReceiptRefreshRequest: SKReceiptRefreshRequest {
    override init(receiptProperties properties: [String: Any]?) { super.init(receiptProperties: properties) }
    override var receiptProperties: [String: Any]? { [:] }
    override func start() { delegate?.requestDidFinish(self) }
}
