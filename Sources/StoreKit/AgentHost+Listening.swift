// SPDX-License-Identifier: Apache-2.0

import StoreAgent

// The agent for listeners of StoreKit 2.
extension AgentHost {
    /// Whether StoreKitTest is part of the program. Its session's type is found
    /// by its mangled name.
    static var linksStoreKitTest: Bool { _typeByName("12StoreKitTest13SKTestSessionC") != nil }

    /// The agent for a listener. In a test's process, it waits for a session, or
    /// for another call that starts the agent.
    ///
    /// - Throws: The error of the start, `CancellationError`.
    func agentForListener() async throws -> Agent {
        while true {
            let generation = agents.generation
            if let current { return current }
            guard !listenersMayStart else { return try await agentWithoutBlocking() }
            await agents.wait(after: generation)
            try Task.checkCancellation()
        }
    }

    /// Listens with the agent that the app uses, and after it with each agent
    /// that takes its place.
    ///
    /// - Returns: The first value; `nil` when the task is cancelled.
    /// - Throws: The listener's error, or that of the agent's start.
    func follow<Value: Sendable>(
        _ listen: @escaping @Sendable (Agent) async throws -> Value?
    ) async throws -> Value? {
        while !Task.isCancelled {
            let agent = try await agentForListener()
            if let value = try await perform(with: agent, listen) { return value }
        }
        return nil
    }
}
