// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreKit

#if os(Linux)
/// `Bundle.main.appStoreReceiptURL`, in files that import both modules and in
/// one that imports Foundation alone.
@Suite(.oneAppAtATime)
struct ReceiptHookTests {
    init() {
        #expect(SharedStoreKit.isConfigured)
    }

    @Test("Foundation's appStoreReceiptURL is the address of the receipt")
    func foundationsPropertyAnswersWithTheReceiptsAddress() {
        #expect(ReceiptHook.state == .installed)
        #expect(Bundle.main.appStoreReceiptURL == StoreKitConfiguration.receiptURL)
        #expect(receiptURLByFoundationAlone() == StoreKitConfiguration.receiptURL)
    }

    @Test("A bundle other than the main one has no receipt") func anyOtherBundleHasNoReceipt() throws {
        let other = try #require(Bundle(path: FileManager.default.temporaryDirectory.path))
        #expect(other.appStoreReceiptURL == nil)
    }
}
#endif
