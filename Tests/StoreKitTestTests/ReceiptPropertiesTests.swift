// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The properties of a refresh, tested by the receipt file that the app
/// reads.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct ReceiptPropertiesTests {
    private let configuration: Configuration
    private let session: SKTestSession
    private let app: App

    init() throws {
        configuration = try Configuration()
        session = try configuration.session()
        app = App()
    }

    @Test("A refresh with properties writes a receipt file with these properties")
    func aRefreshWithPropertiesPutsThemIntoTheReceiptFile() async throws {
        await app.buy("apple")
        let now = session.currentDate

        let plain = try await refreshed(nil)
        #expect(plain.environment == .sandbox)
        #expect(plain.expirationDate == nil)
        #expect(plain.inAppPurchases.map(\.cancellationDate) == [nil])
        let expired = try await refreshed([SKReceiptPropertyIsExpired: true])
        #expect(try #require(expired.expirationDate) < now)
        #expect(expired.inAppPurchases == plain.inAppPurchases)
        let revoked = try await refreshed([SKReceiptPropertyIsRevoked: NSNumber(value: 1)])
        #expect(revoked.expirationDate == revoked.creationDate)
        #expect(revoked.inAppPurchases.map(\.cancellationDate) == [revoked.creationDate])
        let volume = try await refreshed([SKReceiptPropertyIsVolumePurchase: true])
        #expect(volume.environment == .sandboxVolumePurchase)
        #expect(volume.expirationDate == nil)
        // The properties apply to one refresh; the next receipt is the customer's own again.
        let again = try await refreshed([SKReceiptPropertyIsVolumePurchase: false])
        #expect(again.environment == .sandbox)
        app.quit()
    }

    private func refreshed(_ properties: [String: Any]?) async throws -> AppReceipt {
        let request = SKReceiptRefreshRequest(receiptProperties: properties)
        let listener = Listener()
        request.delegate = listener
        request.start()
        await mainQueueUpdates()
        #expect(listener.isFinished && listener.error == nil)
        let file = try #require(Bundle.main.appStoreReceiptURL)
        return try UnverifiedAppReceipt(parsing: Data(contentsOf: file)).contents
    }

    private final class Listener: NSObject, SKRequestDelegate {
        private(set) var isFinished = false
        private(set) var error: (any Error)?

        func requestDidFinish(_ request: SKRequest) { isFinished = true }
        func request(_ request: SKRequest, didFailWithError error: any Error) { self.error = error }
    }
}
