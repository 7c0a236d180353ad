// SPDX-License-Identifier: Apache-2.0

/// A write closure whose result type has been forgotten.
struct WriteJob: Sendable {
    /// Runs the closure once.
    let attempt: @Sendable (any Connection) -> Attempt

    /// Answers with an error that isn't the closure's.
    let fail: @Sendable (any Error) -> Void

    /// What came of running the closure, to be answered once it is durable.
    struct Attempt: Sendable {
        let error: (any Error)?
        let answer: @Sendable () -> Void
    }

    init<T: Sendable>(
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
