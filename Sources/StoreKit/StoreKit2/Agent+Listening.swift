// SPDX-License-Identifier: Apache-2.0

import StoreAgent

// The listeners of StoreKit 2.
extension Agent {
    /// Repeats an attempt after each change of the journal, until it has a value.
    /// The attempt receives the generation of the change that precedes it.
    ///
    /// While the journal can't be read or written, such as on a full disk, the
    /// listener waits: each change, and each of the agent's regular rounds, is
    /// another attempt.
    ///
    /// - Parameters:
    ///   - isolation: The listener, on which the attempts run.
    ///   - isUsed: Whether the app uses an agent now.
    ///   - attempt: Looks for a value; `nil` without one.
    /// - Returns: The value; `nil` when the app uses another agent.
    /// - Throws: `CancellationError`.
    func listen<Value>(
        isolation: isolated (any Actor)? = #isolation,
        isUsed: (Agent) -> Bool = { AgentHost.shared.uses($0) },
        _ attempt: (UInt64) async throws -> Value?
    ) async throws -> Value? {
        while true {
            let generation = changes.generation
            do {
                if let value = try await attempt(generation) { return value }
            } catch let error as CancellationError {
                throw error
            } catch {
                try Task.checkCancellation()
            }
            guard !changes.isClosed, isUsed(self) else { return nil }
            await changes.wait(after: generation)
            try Task.checkCancellation()
        }
    }
}
