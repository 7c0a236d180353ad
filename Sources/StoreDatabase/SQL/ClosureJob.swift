// SPDX-License-Identifier: Apache-2.0

/// A database closure with its result type erased.
package struct ClosureJob: Sendable {
    /// Runs the closure once.
    package let attempt: @Sendable (any Connection) -> Attempt

    /// Answers the caller with an error of the engine.
    package let fail: @Sendable (any Error) -> Void

    /// The outcome of one run of the closure. `answer` passes it to the caller
    /// and is called after the commit.
    package struct Attempt: Sendable {
        package let error: (any Error)?
        package let answer: @Sendable () -> Void
    }

    package init<T: Sendable>(
        scope: ClosureScope,
        _ body: @escaping @Sendable (any Connection) throws -> T,
        answer: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        attempt = { connection in
            do {
                let value = try scope.run { try body(connection) }
                return Attempt(error: nil) { answer(.success(value)) }
            } catch {
                return Attempt(error: error) { answer(.failure(error)) }
            }
        }
        fail = { answer(.failure($0)) }
    }
}
