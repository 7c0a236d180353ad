// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreAPI
import StoreDomain

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

    /// Reads the bytes from the store's storage, also if a device would be
    /// redirected to it.
    package func content(_ request: ContentRequest) async throws -> ContentPart {
        let parts = request.address.split(separator: "/").map(String.init)
        guard parts.count == 4 else { throw StoreFailure(.contentNotFound, "There is no content at this address.") }
        let requested = try await service.content(identifier: parts[1], expires: parts[2], signature: parts[3])
        let content = requested.content
        let stream = try await requested.open(request.range.clamped(to: 0..<content.bytes))
        return ContentPart(
            offset: request.range.lowerBound, checksum: content.checksum,
            bytes: AsyncThrowingStream { try await stream.next() })
    }
}
