// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKStoreReviewControllerAPI() {
    let controller: SKStoreReviewController = SKStoreReviewController()
    let _: NSObject = controller
    let _: any Sendable = controller
    let _: () = SKStoreReviewController.requestReview()
}

class DerivedReviewController: SKStoreReviewController, @unchecked Sendable {
    override class func requestReview() {}
}
