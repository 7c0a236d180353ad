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
    ///
    /// One that comes in the place of another of the same test is used when
    /// that was. What was in its queue has left it then, and observers hear so.
    package static func attach(_ standIn: AgentStandIn, inPlaceOf before: Agent? = nil) {
        guard shared.stand(standIn, inPlaceOf: before) else { return }
        if before != nil { PaymentQueueCore.shared.tellGone() }
        PaymentQueueCore.shared.changeAgent(to: standIn.agent)
        standIn.settle()
    }

    /// Has the app use the agent of the test before again, or its own, unless
    /// another test's has come meanwhile.
    package static func detach(_ agent: Agent) {
        guard shared.leave(agent) else { return }
        let standIn = shared.standIn
        PaymentQueueCore.shared.changeAgent(to: standIn?.agent)
        standIn?.settle()
    }

    /// On the main queue: calls what the app waits for.
    package static func callBack() {
        shared.callbacks.callAll()
    }
}
