// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs a blocking closure on a number of new threads at the same time, and
/// returns the results in order. The threads of Swift's tasks remain free for
/// the server.
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
