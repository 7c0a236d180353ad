// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Hummingbird
package import Logging
import NIOCore
import Synchronization

/// A seller's server on this machine, for scenarios: it keeps the bodies that it
/// has accepted, and answers with the statuses that a scenario sets.
package final class NotificationReceiver: Sendable {
    /// The largest body, in bytes. A notification has a few kilobytes.
    private static let bodyBytes = 1 << 20
    /// The most bodies that are kept until a scenario takes them.
    private static let bodies = 10_000

    private struct State {
        var statuses = [200]
        var accepted: [Data] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets the statuses of the next answers, the last of which stays.
    package func answer(with statuses: [Int]) {
        state.withLock { $0.statuses = statuses.isEmpty ? [200] : statuses }
    }

    /// Removes and returns the bodies that were answered with a success, in the
    /// order in which they arrived.
    package func take() -> [Data] {
        state.withLock { state in
            defer { state.accepted = [] }
            return state.accepted
        }
    }

    /// Listens at a free port of this machine while `work` runs, which gets the
    /// address.
    ///
    /// - Throws: The errors of `work`, or the system's when it can't listen.
    package func listening<Result: Sendable>(
        logger: Logger, _ work: @escaping @Sendable (_ address: String) async throws -> Result
    ) async throws -> Result {
        let (ports, running) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let router = Router()
        router.post("/") { request, _ in try await self.receive(request) }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in running.yield(channel.localAddress?.port ?? 0) },
            logger: logger)
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await application.run()
                return nil
            }
            group.addTask {
                var ports = ports.makeAsyncIterator()
                guard let port = await ports.next() else { throw CancellationError() }
                return try await work("http://127.0.0.1:\(port)/")
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    private func receive(_ request: Request) async throws -> HTTPResponse.Status {
        let body = try await request.body.collect(upTo: Self.bodyBytes)
        return state.withLock { state in
            let status = state.statuses.count > 1 ? state.statuses.removeFirst() : state.statuses[0]
            if (200..<300).contains(status) {
                guard state.accepted.count < Self.bodies else { return .init(code: 503) }
                state.accepted.append(Data(body.readableBytesView))
            }
            return .init(code: status)
        }
    }
}
