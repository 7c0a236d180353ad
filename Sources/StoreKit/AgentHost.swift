// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import StoreAgent
internal import Synchronization

/// The one place that starts and stops the agent.
///
/// The agent is started by whatever of StoreKit is used first, and runs until
/// the process ends. Starting can fail, because of the configuration or the
/// disk: the reason goes to standard error once, whoever asked fails with it,
/// and the next use tries again.
package final class AgentHost: Sendable {
    static let shared = AgentHost()

    /// How the app is called.
    let callbacks = CallbackQueue()

    private struct Running {
        let agent: Agent
        let task: Task<Void, Never>
    }

    private struct State {
        var configuration = StoreKitConfiguration()
        var running: Running?
        /// Agents of tests, the one that is used last.
        var standIns: [AgentStandIn] = []
        var standIn: AgentStandIn? { standIns.last }
        var lastComplaint: String?
        var started: (@Sendable (Agent) -> Void)?
    }

    private let state = Mutex(State())

    /// The agent, started if it isn't running.
    ///
    /// - Throws: what the start failed with: ``AgentError``, or the journal's
    ///   error.
    func agent() throws -> Agent {
        let (agent, started) = try state.withLock { state in
            if let agent = state.standIn?.agent ?? state.running?.agent {
                return (agent, nil as (@Sendable (Agent) -> Void)?)
            }
            do {
                let agent = try Self.makeAgent(state.configuration)
                state.running = Running(agent: agent, task: Self.run(agent))
                state.lastComplaint = nil
                return (agent, state.started)
            } catch {
                let complaint = "\(error)"
                if state.lastComplaint != complaint { Self.say(complaint) }
                state.lastComplaint = complaint
                throw error
            }
        }
        started?(agent)
        return agent
    }

    /// Calls the handler after each start of an agent, whatever started it;
    /// there is one handler.
    func whenStarted(_ handler: @escaping @Sendable (Agent) -> Void) {
        state.withLock { $0.started = handler }
    }

    /// Puts a test's agent in the place of another test's, or of whichever is
    /// used now.
    ///
    /// - Returns: whether it is the one that is used now.
    func stand(_ standIn: AgentStandIn, inPlaceOf agent: Agent?) -> Bool {
        state.withLock { state in
            if let agent, let index = state.standIns.firstIndex(where: { $0.agent === agent }) {
                state.standIns[index] = standIn
            } else {
                state.standIns.append(standIn)
            }
            return state.standIn?.agent === standIn.agent
        }
    }

    /// Takes a test's agent away.
    ///
    /// - Returns: whether it was used.
    func leave(_ agent: Agent) -> Bool {
        state.withLock { state in
            defer { state.standIns.removeAll { $0.agent === agent } }
            return state.standIn?.agent === agent
        }
    }

    /// The agent of a test that is used, if there is one.
    var standIn: AgentStandIn? { state.withLock { $0.standIn } }

    /// What the app was told in code.
    var configuration: StoreKitConfiguration { state.withLock { $0.configuration } }

    /// Does what a test's agent has to do after the app has asked for
    /// something; the host's own goes on by itself.
    func settle() {
        standIn?.settle()
    }

    /// Whether the device allows payments: that takes no agent, and no store.
    var canMakePayments: Bool {
        let (agent, configuration) = state.withLock { ($0.standIn?.agent ?? $0.running?.agent, $0.configuration) }
        return agent?.canMakePayments ?? (Self.restrictions(configuration).refusal == nil)
    }

    /// Sets the configuration of an agent that hasn't started.
    func use(_ configuration: StoreKitConfiguration) -> Bool {
        let isEarly = state.withLock { state in
            guard state.running == nil else { return false }
            state.configuration = configuration
            return true
        }
        if !isEarly { Self.say("StoreKitConfiguration.use: StoreKit is in use already; nothing was changed.") }
        return isEarly
    }

    /// Asks the agent something that takes a while, and answers on the main
    /// queue.
    func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (Agent) async throws -> Answer,
        answered: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) -> Task<Void, Never> {
        let task = Task(executorPreference: standIn?.executor) {
            let result: Result<Answer, any Error>
            do {
                result = .success(try await question(try self.agent()))
            } catch {
                result = .failure(error)
            }
            self.callbacks.add { answered(result) }
        }
        settle()
        return task
    }

    /// Stops the agent. What it has written down goes on when it is started
    /// again, by the next use.
    func stop() async {
        let running = state.withLock { state in
            defer { state.running = nil }
            return state.running
        }
        guard let running else { return }
        running.task.cancel()
        await running.task.value
        running.agent.close()
    }

    private static func run(_ agent: Agent) -> Task<Void, Never> {
        Task {
            do {
                try await agent.run()
            } catch is CancellationError {
                // Stopped on purpose.
            } catch {
                say("The agent has stopped, and purchases wait for the next launch: \(error)")
            }
        }
    }

    /// One line on standard error.
    static func say(_ sentence: String) {
        FileHandle.standardError.write(Data("StoreKit: \(sentence)\n".utf8))
    }
}
