// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs a closure that blocks on so many threads of its own, at once, and
/// returns what they returned, in order: the threads of Swift's tasks stay
/// the server's.
@discardableResult
func onThreads<T: Sendable>(_ count: Int, _ body: @escaping @Sendable (_ index: Int) throws -> T) async throws -> [T] {
    try await withThrowingTaskGroup(of: (Int, T).self) { group in
        for index in 0..<count {
            group.addTask {
                let result = try await withCheckedThrowingContinuation { continuation in
                    Thread { continuation.resume(with: Result { try body(index) }) }.start()
                }
                return (index, result)
            }
        }
        var results: [(Int, T)] = []
        for try await result in group { results.append(result) }
        return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
