// SPDX-License-Identifier: Apache-2.0

import Logging
import StoreDatabase
import Synchronization

/// The finishes that the journal couldn't save, because it was locked for
/// long or its disk was full. They are kept in memory until it can.
final class UnwrittenFinishes: Sendable {
    private struct State {
        var finishes: [AgentTransaction.ID: AgentTransaction.Delivered?] = [:]
        /// The pauses between attempts to save them.
        var pauses: Backoff
        var isPausing = false

        /// Begins a pause, unless there is one already.
        mutating func pause() -> Duration? {
            guard !isPausing else { return nil }
            isPausing = true
            return pauses.next()
        }
    }

    /// The result of an attempt to save all finishes.
    struct Attempt: Sendable {
        /// The saved ones, as the app could see the transactions before.
        var finished: [AgentTransaction] = []
        var hasSaved = false
        /// Whether a finish was refused, so that its transaction is delivered
        /// again.
        var hasRefused = false
        /// The pause after which the next attempt has to be made; `nil` when
        /// none is necessary, or the pause before it has begun already.
        var pause: Duration?
    }

    private let journal: Journal
    private let clock: AgentClock
    private let logger: Logger
    private let state: Mutex<State>

    init(journal: Journal, clock: AgentClock, random: AgentRandom, logger: Logger) {
        self.journal = journal
        self.clock = clock
        self.logger = logger
        state = Mutex(State(pauses: Backoff(random)))
    }

    /// Adds a finish that couldn't be saved because of an error.
    func keep(_ identifier: AgentTransaction.ID, _ delivered: AgentTransaction.Delivered?, _ error: any Error) {
        let isFirst = state.withLock { state in
            state.finishes[identifier] = .some(delivered)
            return state.finishes.count == 1
        }
        if isFirst { logger.error("A finish can't be written down: \(error). Trying again until it can.") }
    }

    /// Whether the app has finished an entry, so that it must not be
    /// delivered.
    func contains(_ identifier: AgentTransaction.ID) -> Bool {
        state.withLock { $0.finishes.keys.contains(identifier) }
    }

    /// Tries to save all finishes.
    func save() -> Attempt {
        var attempt = Attempt()
        let finishes = state.withLock(\.finishes)
        attempts: for (identifier, delivered) in finishes.sorted(by: { $0.key < $1.key }) {
            do {
                let finished = try journal.finish(identifier, delivered: delivered, now: clock.now)
                if let finished { attempt.finished.append(finished) }
                attempt.hasSaved = true
            } catch let error as AgentError {
                logger.error("A finish is refused: \(error)")
                attempt.hasRefused = true
            } catch {
                attempt.pause = state.withLock { $0.pause() }
                break attempts
            }
            state.withLock { state in _ = state.finishes.removeValue(forKey: identifier) }
        }
        if attempt.hasSaved { state.withLock { $0.pauses.reset() } }
        return attempt
    }

    /// Records that the pause before the next attempt is over.
    func endPause() {
        state.withLock { $0.isPausing = false }
    }
}
