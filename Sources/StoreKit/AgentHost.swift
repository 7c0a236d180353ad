// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import StoreAgent
import Synchronization

/// Starts and stops the agent of this process.
///
/// The first use of StoreKit starts the agent, which runs until the process
/// ends. When the start fails, because of the configuration or the disk, the
/// reason is written to standard error once, the call fails with it, and the
/// next use starts the agent again.
package final class AgentHost: Sendable {
    static let shared = AgentHost(isTested: AgentHost.linksStoreKitTest)

    /// Calls the app's observers, delegates and handlers.
    let callbacks = CallbackQueue()

    private struct Running {
        let agent: Agent
        let task: Task<Void, Never>
    }

    private struct State {
        var configuration = StoreKitConfiguration()
        var isStarting = false
        var running: Running?
        /// The agents of tests; the last one is used.
        var standIns: [TestAgent] = []
        var standIn: TestAgent? { standIns.last }
        /// Whether the process is a test's, so that listeners start no agent.
        var isTested: Bool
        var lastComplaint: String?
        var started: (@Sendable (Agent) -> Void)?
    }

    private let state: Mutex<State>

    /// Posted when another agent is used.
    let agents = ChangeSignal()

    /// Runs the starts, one at a time.
    private let starts = DispatchQueue(label: "StoreKit.start")

    /// A host without an agent. With `isTested`, listeners wait for the agent
    /// of a test session, or of another call.
    init(isTested: Bool = false) {
        state = Mutex(State(isTested: isTested))
    }

    /// The agent that is used now; `nil` when it isn't running.
    var current: Agent? { state.withLock { $0.standIn?.agent ?? $0.running?.agent } }

    /// Whether the app uses this agent now.
    func uses(_ agent: Agent) -> Bool { current === agent }

    /// Returns the agent, and starts it if it isn't running. A start blocks the
    /// thread for files.
    ///
    /// - Throws: The error of the start: ``AgentError``, or the journal's
    ///   error.
    func agent() throws -> Agent {
        if let current { return current }
        return try starts.sync { try started() }
    }

    /// Returns the agent like ``agent()``, without blocking the thread.
    ///
    /// - Throws: The error of the start: ``AgentError``, or the journal's
    ///   error.
    func agentWithoutBlocking() async throws -> Agent {
        if let current { return current }
        return try await withCheckedThrowingContinuation { continuation in
            starts.async { continuation.resume(with: Result { try self.started() }) }
        }
    }

    /// Starts the agent, unless it was started meanwhile. Runs on `starts`.
    private func started() throws -> Agent {
        if let current { return current }
        let configuration = state.withLock { state in
            state.isStarting = true
            return state.configuration
        }
        do {
            let agent = try Self.makeAgent(configuration)
            let started = state.withLock { state in
                state.isStarting = false
                state.running = Running(agent: agent, task: Self.run(agent))
                state.lastComplaint = nil
                return state.started
            }
            agents.post()
            started?(agent)
            return agent
        } catch {
            let complaint = "\(error)"
            let isNew = state.withLock { state in
                defer { state.lastComplaint = complaint }
                state.isStarting = false
                return state.lastComplaint != complaint
            }
            if isNew { Self.say(complaint) }
            throw error
        }
    }

    /// Sets the handler that is called after each start of an agent. A second
    /// handler replaces the first one.
    func whenStarted(_ handler: @escaping @Sendable (Agent) -> Void) {
        state.withLock { $0.started = handler }
    }

    /// Adds a test's agent, which is used from now on, or puts it in the place
    /// of another agent of the same test.
    ///
    /// - Returns: whether it is used now.
    func stand(_ standIn: TestAgent, inPlaceOf agent: Agent?) -> Bool {
        state.withLock { state in
            state.isTested = true
            if let agent, let index = state.standIns.firstIndex(where: { $0.agent === agent }) {
                state.standIns[index] = standIn
            } else {
                state.standIns.append(standIn)
            }
            return state.standIn?.agent === standIn.agent
        }
    }

    /// Removes a test's agent.
    ///
    /// - Returns: whether it was used.
    func leave(_ agent: Agent) -> Bool {
        state.withLock { state in
            defer { state.standIns.removeAll { $0.agent === agent } }
            return state.standIn?.agent === agent
        }
    }

    /// Whether listeners of StoreKit 2 may start the agent. Those of an app
    /// under test live longer than the test sessions: between two of them they
    /// would use the device's own journal, and the network.
    var listenersMayStart: Bool { state.withLock { !$0.isTested } }

    /// The test's agent that is used, if there is one.
    var standIn: TestAgent? { state.withLock { $0.standIn } }

    /// The configuration that the app has set.
    var configuration: StoreKitConfiguration { state.withLock { $0.configuration } }

    /// Runs the pending work of a test's agent, after a request of the app.
    /// The host's own agent doesn't need it.
    func settle() {
        standIn?.settle()
    }

    /// Whether the device allows payments. Starts no agent and needs no store.
    var canMakePayments: Bool {
        let (agent, configuration) = state.withLock { ($0.standIn?.agent ?? $0.running?.agent, $0.configuration) }
        return agent?.canMakePayments ?? (Self.restrictions(configuration).refusal == nil)
    }

    /// Sets the configuration, unless the agent is running.
    func use(_ configuration: StoreKitConfiguration) -> Bool {
        let isEarly = state.withLock { state in
            guard state.running == nil, !state.isStarting else { return false }
            state.configuration = configuration
            return true
        }
        if !isEarly { Self.say("StoreKitConfiguration.use: StoreKit is in use already; nothing was changed.") }
        return isEarly
    }

    /// Runs an operation of the agent, and calls `answered` with its result on
    /// the main queue.
    func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (Agent) async throws -> Answer,
        answered: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) -> Task<Void, Never> {
        let task = Task(executorPreference: standIn?.executor) {
            let result: Result<Answer, any Error>
            do {
                result = .success(try await question(try await self.agentWithoutBlocking()))
            } catch {
                result = .failure(error)
            }
            self.callbacks.add { answered(result) }
        }
        settle()
        return task
    }

    /// Stops the agent. The next use starts it again and continues the work
    /// that is in its journal.
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
                // `stop()` has cancelled the task.
            } catch {
                say("The agent has stopped, and purchases wait for the next launch: \(error)")
            }
        }
    }

    /// Writes one line to standard error.
    /// Prints a sentence about an error, once: an app reads the error of a failed payment again and again.
    static func sayOnce(_ sentence: String) {
        let isNew = said.withLock { said in
            if said.count > 200 { said = [] }
            return said.insert(sentence).inserted
        }
        if isNew { say(sentence) }
    }

    private static let said = Mutex<Set<String>>([])

    static func say(_ sentence: String) {
        FileHandle.standardError.write(Data("StoreKit: \(sentence)\n".utf8))
    }
}
