// SPDX-License-Identifier: Apache-2.0

extension StorageThreads {
    /// Runs a closure on one of the threads.
    ///
    /// - Throws: The error of the closure.
    func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            add { continuation.resume(with: Result { try body() }) }
        }
    }
}
