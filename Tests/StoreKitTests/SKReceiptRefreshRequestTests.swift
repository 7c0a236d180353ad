// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import Testing

@testable import StoreKit

struct SKReceiptRefreshRequestTests {
    @Test("A request without properties wants the receipt as it is")
    func none() {
        #expect(SKReceiptRefreshRequest().wanted == nil)
        #expect(SKReceiptRefreshRequest(receiptProperties: nil).wanted == nil)
    }

    @Test("A property is a Boolean or a number, and any other value is false")
    func values() {
        let request = SKReceiptRefreshRequest(receiptProperties: [
            SKReceiptPropertyIsExpired: true, SKReceiptPropertyIsVolumePurchase: NSNumber(value: 1),
            SKReceiptPropertyIsRevoked: "yes", "another": true,
        ])

        #expect(request.wanted == ReceiptProperties(isExpired: true, isRevoked: false, isVolumePurchase: true))
        #expect(request.receiptProperties?.count == 4)
        let off = SKReceiptRefreshRequest(receiptProperties: [
            SKReceiptPropertyIsExpired: false, SKReceiptPropertyIsRevoked: NSNumber(value: 0),
        ])
        #expect(off.wanted == ReceiptProperties())
    }
}
