// SPDX-License-Identifier: Apache-2.0

package import StoreAgent

/// The agent of a test, which is used instead of the host's own.
package struct TestAgent: Sendable {
    package var agent: Agent
    /// The executor of the host's own tasks.
    package var executor: any TaskExecutor
    /// Runs all work that can run now; called after each request of the app.
    package var settle: @Sendable () -> Void
    /// The failure that the test simulates of a function; `nil` without one.
    package var failure: @Sendable (SimulatedAPI) -> SimulatedFailure?

    /// Makes a stand-in.
    package init(
        agent: Agent, executor: any TaskExecutor, settle: @escaping @Sendable () -> Void,
        failure: @escaping @Sendable (SimulatedAPI) -> SimulatedFailure? = { _ in nil }
    ) {
        self.agent = agent
        self.executor = executor
        self.settle = settle
        self.failure = failure
    }
}

extension AgentHost {
    /// Makes the app use a test's agent from now on. Observers receive the
    /// unfinished transactions of its queue, and none of other queues.
    ///
    /// An agent that replaces another one of the same test is used only if
    /// that one was. Observers are then notified that the transactions of the
    /// replaced queue were removed.
    package static func attach(_ standIn: TestAgent, inPlaceOf before: Agent? = nil) {
        let used = shared.current
        guard shared.stand(standIn, inPlaceOf: before) else { return }
        // Listeners of StoreKit 2 go on with the new agent.
        if used !== standIn.agent { used?.changes.post() }
        shared.agents.post()
        if before != nil { PaymentQueueCore.shared.notifyAllRemoved() }
        PaymentQueueCore.shared.changeAgent(to: standIn.agent)
        standIn.settle()
    }

    /// Makes the app use the previous test's agent again, or its own, unless
    /// another test's agent is used now.
    package static func detach(_ agent: Agent) {
        guard shared.leave(agent) else { return }
        agent.changes.post()
        shared.agents.post()
        let standIn = shared.standIn
        PaymentQueueCore.shared.changeAgent(to: standIn?.agent)
        standIn?.settle()
    }

    /// Runs the app's pending callbacks. Call it on the main queue.
    package static func callBack() {
        shared.callbacks.callAll()
    }
}
