// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The transfers of this process that are running. One that waits for the
/// network or for a pause to end is stopped, too.
final class RunningTransfers: Sendable {
    private let stops = Mutex<[String: AsyncStream<Void>.Continuation]>([:])

    /// Runs a transfer until it ends or is stopped.
    ///
    /// - Throws: the transfer's error, unless it was stopped.
    func run(_ name: String, _ transfer: @escaping @Sendable () async throws -> Void) async throws {
        let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
        stops.withLock { $0[name] = stop }
        defer { stops.withLock { $0[name] = nil } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await transfer() }
            group.addTask { for await _ in stopped {} }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Stops all transfers but these, in the order of their names.
    func stop(allBut names: Set<String>) {
        let stopped = stops.withLock { $0.filter { !names.contains($0.key) } }
        for (_, stop) in stopped.sorted(by: { $0.key < $1.key }) { stop.finish() }
    }
}
