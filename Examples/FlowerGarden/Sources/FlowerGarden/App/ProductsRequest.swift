// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// Asks the store for products. A request that fails throws its error.
@MainActor
final class ProductsRequest: NSObject {
    private var continuation: CheckedContinuation<[SKProduct], any Error>?
    private var request: SKProductsRequest?

    static func products(_ identifiers: Set<String>) async throws -> [SKProduct] {
        guard !identifiers.isEmpty else { return [] }
        let sender = ProductsRequest()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sender.start(identifiers, $0) }
        } onCancel: {
            DispatchQueue.main.async { MainActor.assumeIsolated { sender.cancel() } }
        }
    }

    private func cancel() {
        request?.cancel()
        end(.failure(CancellationError()))
    }

    private func start(_ identifiers: Set<String>, _ continuation: CheckedContinuation<[SKProduct], any Error>) {
        self.continuation = continuation
        let request = SKProductsRequest(productIdentifiers: identifiers)
        request.delegate = self
        self.request = request
        // The request doesn't own its delegate.
        Self.running.insert(self)
        request.start()
    }

    private static var running: Set<ProductsRequest> = []

    private func end(_ result: Result<[SKProduct], any Error>) {
        continuation?.resume(with: result)
        continuation = nil
        Self.running.remove(self)
    }
}

extension ProductsRequest: @preconcurrency SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        end(.success(response.products))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) { end(.failure(error)) }
}
