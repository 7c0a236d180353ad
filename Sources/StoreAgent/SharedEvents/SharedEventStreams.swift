// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import Synchronization

/// The shared event streams of a daemon, one for each store.
final class SharedEventStreams: Sendable {
    /// Apps with the same store trust the same roots.
    private struct Key: Hashable {
        var store: URL
        var tlsRoots: URL?
    }

    private let clock: AgentClock
    private let streams = Mutex<[Key: SharedEventStream]>([:])
    /// The streams that have to be run.
    private let added: AsyncStream<SharedEventStream>
    private let continuation: AsyncStream<SharedEventStream>.Continuation

    init(clock: AgentClock) {
        self.clock = clock
        (added, continuation) = AsyncStream.makeStream(of: SharedEventStream.self)
    }

    /// The connection of an app to its store, whose event stream is that of
    /// all apps of the store.
    ///
    /// - Throws: ``AgentError`` with the code `configuration` when the TLS
    ///   roots can't be read.
    func connection(of configuration: AgentConfiguration) throws -> any StoreConnection {
        guard let store = configuration.storeURL else { return UnconfiguredConnection() }
        let stream = try stream(at: Key(store: store, tlsRoots: configuration.tlsRoots))
        return SharedConnection(own: try HTTPStoreConnection(store, tlsRoots: configuration.tlsRoots), stream: stream)
    }

    private func stream(at key: Key) throws -> SharedEventStream {
        try streams.withLock { streams in
            if let known = streams[key] { return known }
            let stream = SharedEventStream(try HTTPStoreConnection(key.store, tlsRoots: key.tlsRoots), clock: clock)
            streams[key] = stream
            continuation.yield(stream)
            return stream
        }
    }

    /// Keeps the streams open until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await stream in added { group.addTask { await stream.run() } }
            group.cancelAll()
        }
    }
}

/// The connection of one of the daemon's apps. Only the events come in the
/// shared stream: with connections of its own, no app waits for another one's
/// downloads.
struct SharedConnection: StoreConnection {
    let own: any StoreConnection
    let stream: SharedEventStream

    func send(_ message: StoreMessage) async throws -> Data { try await own.send(message) }

    func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        try await stream.events(subscription)
    }

    func content(_ request: ContentRequest) async throws -> ContentPart { try await own.content(request) }

    func file(_ request: FileRequest) async throws -> FilePart { try await own.file(request) }
}
