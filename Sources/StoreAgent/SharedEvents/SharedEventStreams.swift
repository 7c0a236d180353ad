// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import Synchronization

/// The shared event streams of a daemon, one for each store. A stream ends with
/// the last app of its store.
final class SharedEventStreams: Sendable {
    /// Apps with the same store trust the same roots.
    private struct Key: Hashable {
        var store: URL
        var tlsRoots: URL?
    }

    private struct Entry {
        let number: Int
        weak var use: SharedStreamUse?
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var number = 0
    }

    private let clock: AgentClock
    private let state = Mutex(State())
    /// The streams that have to be run.
    private let added: AsyncStream<SharedEventStream>
    private let continuation: AsyncStream<SharedEventStream>.Continuation

    init(clock: AgentClock) {
        self.clock = clock
        (added, continuation) = AsyncStream.makeStream(of: SharedEventStream.self)
    }

    /// The number of stores that apps use.
    var count: Int { state.withLock { $0.entries.count } }

    /// The connection of an app to its store, whose event stream is that of
    /// all apps of the store.
    ///
    /// - Throws: ``AgentError`` with the code `configuration` when the TLS
    ///   roots can't be read.
    func connection(of configuration: AgentConfiguration) throws -> any StoreConnection {
        guard let store = configuration.storeURL else { return UnconfiguredConnection() }
        let use = try use(of: Key(store: store, tlsRoots: configuration.tlsRoots))
        let own = try HTTPStoreConnection(store, tlsRoots: configuration.tlsRoots)
        return SharedConnection(own: own, stream: use.stream, use: use)
    }

    private func use(of key: Key) throws -> SharedStreamUse {
        try state.withLock { state in
            if let known = state.entries[key]?.use { return known }
            state.number += 1
            let number = state.number
            let stream = SharedEventStream(try HTTPStoreConnection(key.store, tlsRoots: key.tlsRoots), clock: clock)
            let use = SharedStreamUse(stream) { [weak self] in self?.remove(key, number) }
            state.entries[key] = Entry(number: number, use: use)
            continuation.yield(stream)
            return use
        }
    }

    /// Removes a stream that no app uses, unless another one has taken its
    /// place.
    private func remove(_ key: Key, _ number: Int) {
        state.withLock { state in
            if state.entries[key]?.number == number { state.entries[key] = nil }
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

/// The use of a shared stream by apps. The stream ends when none has it any
/// more.
final class SharedStreamUse: Sendable {
    let stream: SharedEventStream
    private let ended: @Sendable () -> Void

    init(_ stream: SharedEventStream, ended: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.ended = ended
    }

    deinit {
        ended()
        stream.close()
    }
}

/// The connection of one of the daemon's apps. Only the events come in the
/// shared stream: with connections of its own, no app waits for another one's
/// downloads.
struct SharedConnection: StoreConnection {
    let own: any StoreConnection
    let stream: SharedEventStream
    /// Keeps the stream open; `nil` when its owner does.
    var use: SharedStreamUse?

    func send(_ message: StoreMessage) async throws -> Data { try await own.send(message) }

    func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        try await stream.events(subscription)
    }

    func content(_ request: ContentRequest) async throws -> ContentPart { try await own.content(request) }

    func file(_ request: FileRequest) async throws -> FilePart { try await own.file(request) }
}
