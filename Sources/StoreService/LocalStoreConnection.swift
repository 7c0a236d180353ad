// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreAPI

/// Connects an agent and a store within one process, with the same messages
/// as over HTTP.
package struct LocalStoreConnection: StoreConnection {
    private let service: StoreService

    package init(_ service: StoreService) {
        self.service = service
    }

    package func send(_ message: StoreMessage) async throws -> Data {
        try await service.answer(message)
    }

    package func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        let feed = try await service.feed(subscription)
        return AsyncThrowingStream {
            while let item = try await feed.next() {
                if case .event(let event) = item { return event }
            }
            return nil
        }
    }

    package func content(_ request: ContentRequest) async throws -> ContentPart {
        throw StoreFailure(.contentNotFound, "The store hosts no content.")
    }
}
