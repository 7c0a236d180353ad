// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import NIOCore
internal import StoreAPI

/// Turns the body of an event stream's response into events.
final class EventReader: @unchecked Sendable {  // because a stream has one consumer, which reads one at a time
    private var bytes: HTTPClientResponse.Body.AsyncIterator
    private var parser = ServerSentEventParser()
    /// The frames that were read and not returned yet, the oldest last.
    private var frames: [StoreEventFrame] = []
    /// When the event began that isn't whole yet.
    private var began: NIODeadline?
    private let address: String

    init(_ body: HTTPClientResponse.Body, address: String) {
        bytes = body.makeAsyncIterator()
        self.address = address
    }

    /// The next event that this version knows; `nil` at the end.
    ///
    /// - Throws: `StoreFailure`, `ConnectionFailure`, `CancellationError`.
    func next() async throws -> StoreEvent? {
        while true {
            while let frame = frames.popLast() {
                do {
                    try JSONSize.check(frame.data.utf8)
                    if let event = try frame.event() { return event }
                } catch {
                    let reason = PrintableText.of("\(error)")
                    throw StoreFailure(.unreadableAnswer, "The store sent an event that can't be read: \(reason)")
                }
            }
            try Task.checkCancellation()
            guard let buffer = try await read() else { return nil }
            frames = try parser.frames(buffer.readableBytesView).reversed()
            try checkTime()
        }
    }

    /// An event that comes byte by byte would keep the stream from all others.
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
