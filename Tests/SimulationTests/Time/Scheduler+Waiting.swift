// SPDX-License-Identifier: Apache-2.0

import StoreAgent
import StoreCore
import StoreDomain
import StoreService

extension Scheduler {
    /// Suspends the task until the scheduler picks it again, as a wait for a
    /// disk or a network does.
    func turn() async {
        let queue = newName()
        await withCheckedContinuation { continuation in
            add(to: queue) { continuation.resume() }
        }
    }

    /// Suspends the task for a number of milliseconds; throws when it is
    /// cancelled meanwhile.
    func sleep(milliseconds: Int64) async throws {
        let sleeper = Waiter<Void>()
        let timer = after(milliseconds) { sleeper.settle(.success(())) }
        defer { cancel(timer) }
        try await sleeper.wait()
    }

    /// The clock of a device. Its time of day may be wrong; its pauses have
    /// the right length.
    func agentClock(of device: SimulatedDevice) -> AgentClock {
        AgentClock(
            now: { self.now + device.clockError },
            sleep: { duration in
                try await self.sleep(milliseconds: duration.milliseconds)
            })
    }

    /// The clock of a node of the store, which is wrong by some milliseconds.
    func wallClock(error: Int64) -> WallClock {
        WallClock(
            now: { WallTime(milliseconds: self.now + error) },
            sleep: { try await self.sleep(milliseconds: $0.milliseconds - error - self.now) })
    }
}

/// A result that one task waits for and that is set once.
final class Waiter<Value: Sendable>: @unchecked Sendable {  // because only the scheduler's thread touches it
    private var result: Result<Value, any Error>?
    private var continuation: CheckedContinuation<Value, any Error>?

    var isSettled: Bool { result != nil }

    /// The result. Reading it before it is set throws `CancellationError`.
    var value: Value {
        get throws {
            guard let result else { throw CancellationError() }
            return try result.get()
        }
    }

    /// Sets the result. Later calls have no effect.
    func settle(_ result: Result<Value, any Error>) {
        guard self.result == nil else { return }
        self.result = result
        continuation?.resume(with: result)
        continuation = nil
    }

    /// Waits for the result.
    ///
    /// - Throws: the error that was set, or `CancellationError`.
    func wait() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let result {
                    continuation.resume(with: result)
                } else {
                    self.continuation = continuation
                }
            }
        } onCancel: {
            settle(.failure(CancellationError()))
        }
    }
}
