// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import StoreAPI

/// Decodes the events in the body of an event stream's response.
final class EventReader: @unchecked Sendable {  // because a stream has one consumer, which reads one at a time
    private var bytes: HTTPClientResponse.Body.AsyncIterator
    private var parser = ServerSentEventParser()
    /// The frames that were read and not returned yet, the oldest last.
    private var frames: [StoreEventFrame] = []
    /// The time at which the incomplete event began.
    private var began: NIODeadline?
    private let address: String

    init(_ body: HTTPClientResponse.Body, address: String) {
        bytes = body.makeAsyncIterator()
        self.address = address
    }

    /// Returns the next event of a known kind; `nil` at the end.
    ///
    /// - Throws: `StoreFailure`, `ConnectionFailure`, `CancellationError`.
    func next() async throws -> AppEvent? {
        while true {
            while let frame = frames.popLast() {
                if let event = try Self.event(in: frame) { return event }
            }
            try Task.checkCancellation()
            guard let buffer = try await read() else { return nil }
            frames = try parser.frames(buffer.readableBytesView).reversed()
            try checkTime()
        }
    }

    /// The event in a frame; `nil` for an unknown kind. Texts of a refusal are
    /// made printable, because they reach logs.
    private static func event(in frame: StoreEventFrame) throws -> AppEvent? {
        do {
            try JSONSize.check(frame.data.utf8)
            guard var event = try frame.event() else { return nil }
            if let refused = event.content as? RefusedEvent { event = .refused(refused.failure.printable) }
            guard let place = frame.place else {
                throw StoreFailure(.unreadableAnswer, "it has no id that names its app")
            }
            return AppEvent(place: place, event: event, size: frame.data.utf8.count)
        } catch {
            let reason = PrintableText.of("\(error)")
            throw StoreFailure(.unreadableAnswer, "The store sent an event that can't be read: \(reason)")
        }
    }

    /// Limits the time of one event, because an event sent byte by byte would
    /// block all later ones.
    private func checkTime() throws {
        let now = NIODeadline.now()
        if !parser.isInEvent {
            began = nil
        } else if !frames.isEmpty || began == nil {
            began = now
        }
        if let began, now - began > HTTPStoreConnection.wholeTime {
            throw ConnectionFailure.network(HTTPClientError.deadlineExceeded, sent: true, to: address)
        }
    }

    private func read() async throws -> ByteBuffer? {
        do {
            return try await bytes.next()
        } catch {
            try Task.checkCancellation()
            throw ConnectionFailure.network(error, sent: true, to: address)
        }
    }
}
