// SPDX-License-Identifier: Apache-2.0

package import StoreAgent

/// An agent that a test runs, in the place of the one that the host would
/// start.
package struct AgentStandIn: Sendable {
    /// The agent.
    package var agent: Agent
    /// Where the host's own tasks run.
    package var executor: any TaskExecutor
    /// Does all that can be done by now: called after whatever the app asks.
    package var settle: @Sendable () -> Void

    /// Makes one.
    package init(agent: Agent, executor: any TaskExecutor, settle: @escaping @Sendable () -> Void) {
        self.agent = agent
        self.executor = executor
        self.settle = settle
    }
}

extension AgentHost {
    /// Has the app use a test's agent from now on: observers hear of what is
    /// in its queue, and of nothing that was in another's.
    package static func attach(_ standIn: AgentStandIn) {
        shared.stand(standIn)
        PaymentQueueCore.shared.changeAgent(to: standIn.agent)
        standIn.settle()
    }

    /// Has the app use its own agent again, unless another test's has come
    /// meanwhile.
    package static func detach(_ agent: Agent) {
        guard shared.leave(agent) else { return }
        PaymentQueueCore.shared.changeAgent(to: nil)
    }

    /// On the main queue: calls what the app waits for.
    package static func callBack() {
        shared.callbacks.callAll()
    }
}
