// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport

@testable import StoreAgent

/// A store whose event streams a test writes.
final class SharingStore: SharingStoreConnection {
    struct Request: Sendable {
        let call: EventsCall
        let events: AsyncThrowingStream<AppEvent, any Error>.Continuation

        var apps: [String] { call.apps.map(\.bundleIdentifier) }
    }

    let requests = Watched<[Request]>([])
    /// The store's answer to every request; `nil` to accept it.
    let failure = Watched<StoreFailure?>(nil)
    /// The apps that the store refuses within a stream.
    let refused = Watched<Set<String>>([])
    /// The apps that the store hasn't opened, and doesn't refuse.
    let silent = Watched<Set<String>>([])
    static let newsNumber: Int64 = 5

    func events(
        _ call: EventsCall, as credentials: DeviceCredentials
    ) async throws -> AsyncThrowingStream<AppEvent, any Error> {
        if let failure = failure.value { throw failure }
        let (stream, events) = AsyncThrowingStream.makeStream(of: AppEvent.self)
        for (place, app) in call.apps.enumerated() where !silent.value.contains(app.bundleIdentifier) {
            let isRefused = refused.value.contains(app.bundleIdentifier)
            let event: StoreEvent =
                isRefused
                ? .refused(StoreFailure(.notFound, "This store has no app.", retryAfter: 9))
                : .opened(newsNumber: app.newsNumber ?? Self.newsNumber)
            events.yield(AppEvent(place: place, event: event, size: 1))
        }
        requests.change { $0.append(Request(call: call, events: events)) }
        return stream
    }

    /// Sends an event of an app, of some bytes, over the newest stream.
    func tell(_ app: String, _ event: StoreEvent, size: Int = 1) {
        guard let request = requests.value.last, let place = request.apps.firstIndex(of: app) else { return }
        request.events.yield(AppEvent(place: place, event: event, size: size))
    }

    func send(_ message: StoreMessage) async throws -> Data { throw StoreFailure(.notFound, "not in this script") }

    func content(_ request: ContentRequest) async throws -> ContentPart {
        throw StoreFailure(.notFound, "not in this script")
    }
}
