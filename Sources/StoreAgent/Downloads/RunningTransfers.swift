// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The transfers of this process that are running. One that waits for the
/// network or for a pause to end is stopped, too.
final class RunningTransfers: Sendable {
    /// A transfer from its beginning to its end. The next one of the same
    /// name is another run.
    struct Run: Sendable, Hashable {
        let name: String
        fileprivate let number: Int
    }

    private struct State {
        var begun = 0
        var stops: [Run: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// The transfers that are running now.
    var runs: Set<Run> { state.withLock { Set($0.stops.keys) } }

    /// Runs a transfer until it ends or is stopped.
    ///
    /// - Throws: the transfer's error, unless it was stopped.
    func run(_ name: String, _ transfer: @escaping @Sendable () async throws -> Void) async throws {
        let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
        let run = state.withLock { state in
            state.begun += 1
            let run = Run(name: name, number: state.begun)
            state.stops[run] = stop
            return run
        }
        defer { state.withLock { $0.stops[run] = nil } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await transfer() }
            group.addTask { for await _ in stopped {} }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Stops the transfers among some runs whose names aren't these, in the
    /// order of their names.
    ///
    /// The runs are those from before the journal was read: a transfer that
    /// has begun since then was read as one that hadn't begun. It reads its
    /// row itself, after it is among the runs.
    func stop(_ runs: Set<Run>, allBut names: Set<String>) {
        let stopped = state.withLock { state in
            state.stops.filter { runs.contains($0.key) && !names.contains($0.key.name) }
        }
        for (_, stop) in stopped.sorted(by: { $0.key.name < $1.key.name }) { stop.finish() }
    }
}
