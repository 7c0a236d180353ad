// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import Testing

struct TestErrorTests {
    @Test("An NSError of the test domain is an SKTestError") func anNSErrorOfTheDomainIsAnSKTestError() {
        let error: any Error = NSError(domain: SKTestErrorDomain, code: SKTestError.noTransactionFound.rawValue)

        #expect((error as? SKTestError)?.code == .noTransactionFound)
        #expect((error as? SKError) == nil)
        #expect(SKTestError(_nsError: NSError(domain: "elsewhere", code: -1)).code == .serviceUnavailable)
    }

    @Test("Equal errors are one element of a set") func equalErrorsAreOneInASet() {
        let errors: Set<SKTestError> = [
            SKTestError(.invalidAction), SKTestError(.invalidAction), SKTestError(.invalidURL),
        ]

        #expect(errors.count == 2)
    }
}
