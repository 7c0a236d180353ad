// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreKit

/// Requests that are cancelled, or that the app doesn't reference any more.
extension WithoutAStoreTests {
    @Test("A request that the app doesn't reference runs to its end and is released")
    func aRequestThatNobodyHoldsRunsToItsEnd() async throws {
        let listener = EndListener()
        weak var request: SKProductsRequest?
        autoreleasing {
            let running = SKProductsRequest(productIdentifiers: ["com.example.apple"])
            running.delegate = listener
            running.start()
            request = running
        }

        await listener.end()

        #expect(listener.ends == 1)
        while request != nil { try await letOthersRun() }
    }

    @Test("A cancelled request doesn't call its delegate, and can be started again")
    func aCancelledRequestSaysNothing() async {
        let cancelled = EndListener()
        let request = SKProductsRequest(productIdentifiers: ["com.example.apple"])
        request.delegate = cancelled
        request.start()
        request.cancel()
        let other = EndListener()
        let next = SKProductsRequest(productIdentifiers: ["com.example.apple"])
        next.delegate = other
        next.start()
        await other.end()

        #expect(cancelled.ends == 0)
        // It can be started again.
        request.start()
        await cancelled.end()
        #expect(cancelled.ends == 1)
    }

    @Test("A request doesn't keep its delegate alive") func aDelegateIsHeldByNobody() async {
        let request = SKProductsRequest(productIdentifiers: ["com.example.apple"])
        autoreleasing {
            let listener = EndListener()
            request.delegate = listener
            request.start()
        }
        #expect(request.delegate == nil)

        let listener = EndListener()
        let next = SKProductsRequest(productIdentifiers: ["com.example.apple"])
        next.delegate = listener
        next.start()
        await listener.end()
        #expect(listener.ends == 1)
    }

    private func autoreleasing(_ body: () -> Void) {
        body()
    }
}

/// Counts the ends of requests.
@MainActor
private final class EndListener: NSObject, @preconcurrency SKProductsRequestDelegate {
    private(set) var ends = 0
    private var waiter: CheckedContinuation<Void, Never>?

    func end() async {
        guard ends == 0 else { return }
        await withCheckedContinuation { waiter = $0 }
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}

    func requestDidFinish(_ request: SKRequest) { count() }

    func request(_ request: SKRequest, didFailWithError error: any Error) { count() }

    private func count() {
        ends += 1
        waiter?.resume()
        waiter = nil
    }
}
