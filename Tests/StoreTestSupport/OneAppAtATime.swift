// SPDX-License-Identifier: Apache-2.0

import Synchronization
package import Testing

/// A trait of tests that use the process' one StoreKit: they run one at a
/// time, also across suites.
package struct OneAppAtATime: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Turn.shared.begin()
        defer { Turn.shared.end() }
        try await function()
    }
}

extension Trait where Self == OneAppAtATime {
    /// Runs at most one test with this trait at a time, in all suites.
    package static var oneAppAtATime: Self { Self() }
}

/// A lock that tasks get in the order of their requests.
private final class Turn: Sendable {
    static let shared = Turn()

    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func begin() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken {
                    state.waiting.append(continuation)
                    return false
                }
                state.isTaken = true
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func end() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
