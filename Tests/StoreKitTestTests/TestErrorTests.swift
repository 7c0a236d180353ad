// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import Testing

struct TestErrorTests {
    @Test func anNSErrorOfTheDomainIsAnSKTestError() {
        let error: any Error = NSError(domain: SKTestErrorDomain, code: SKTestError.noTransactionFound.rawValue)

        #expect((error as? SKTestError)?.code == .noTransactionFound)
        #expect((error as? SKError) == nil)
        #expect(SKTestError(_nsError: NSError(domain: "elsewhere", code: -1)).code == .serviceUnavailable)
    }

    @Test func equalErrorsAreOneInASet() {
        let errors: Set<SKTestError> = [
            SKTestError(.invalidAction), SKTestError(.invalidAction), SKTestError(.invalidURL),
        ]

        #expect(errors.count == 2)
    }
}
