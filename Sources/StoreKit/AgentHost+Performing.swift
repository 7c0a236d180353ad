// SPDX-License-Identifier: Apache-2.0

import StoreAgent

// The asynchronous functions of StoreKit 2.
extension AgentHost {
    /// Performs an operation with the agent.
    ///
    /// With a test's agent, the operation runs on the test's executor, together
    /// with all work that follows from it.
    ///
    /// - Throws: the operation's error, or that of the agent's start.
    func perform<Answer: Sendable>(
        _ operation: @escaping @Sendable (Agent) async throws -> Answer
    ) async throws -> Answer {
        try await perform(with: try await agentWithoutBlocking(), operation)
    }

    /// Performs an operation with an agent like ``perform(_:)``.
    func perform<Answer: Sendable>(
        with agent: Agent, _ operation: @escaping @Sendable (Agent) async throws -> Answer
    ) async throws -> Answer {
        guard let standIn, standIn.agent === agent else { return try await operation(agent) }
        let task = Task(executorPreference: standIn.executor) { try await operation(agent) }
        standIn.settle()
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
            standIn.settle()
        }
    }

    /// Begins an operation with the agent, if there is one: a change that
    /// happens after this returns happens after the beginning.
    func begin<Answer: Sendable>(
        _ operation: @escaping @Sendable (Agent) async throws -> Answer
    ) -> Task<Answer, any Error>? {
        guard let agent = current else { return nil }
        // A test may have replaced its agent since.
        guard let standIn, standIn.agent === agent else { return Task { try await operation(agent) } }
        let task = Task(executorPreference: standIn.executor) { try await operation(agent) }
        standIn.settle()
        return task
    }
}
