// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import NIOCore
internal import StoreAPI

/// Turns the body of an event stream's response into events.
final class EventReader: @unchecked Sendable {  // because a stream has one consumer, which reads one at a time
    private var bytes: HTTPClientResponse.Body.AsyncIterator
    private var parser = ServerSentEventParser()
    private var frames: [StoreEventFrame] = []
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
            while !frames.isEmpty {
                let frame = frames.removeFirst()
                do {
                    if let event = try frame.event() { return event }
                } catch {
                    throw StoreFailure(.unreadableAnswer, "The store sent an event that can't be read: \(error)")
                }
            }
            guard let buffer = try await read() else { return nil }
            frames = try parser.frames(buffer.readableBytesView)
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
