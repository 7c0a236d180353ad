// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The end of something that is waited for: it comes once, before or after
/// the wait begins.
final class Outcome: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var result: Result<Void, any Error>?
    }

    private let state = Mutex(State())

    /// Waits for the end, or for the task's cancellation.
    ///
    /// - Throws: what was decided, `CancellationError`.
    func wait() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0) }
        } onCancel: {
            decide(.failure(CancellationError()))
        }
    }

    private func wait(_ continuation: CheckedContinuation<Void, any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(with: result) }
    }

    func decide(_ result: Result<Void, any Error>) {
        let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: result)
    }
}
