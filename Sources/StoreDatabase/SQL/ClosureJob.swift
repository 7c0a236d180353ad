// SPDX-License-Identifier: Apache-2.0

/// A closure whose result type has been forgotten.
package struct ClosureJob: Sendable {
    /// Runs the closure once.
    package let attempt: @Sendable (any Connection) -> Attempt

    /// Answers with an error that isn't the closure's.
    package let fail: @Sendable (any Error) -> Void

    /// What came of running the closure, to be answered once it is durable.
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
