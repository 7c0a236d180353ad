// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreDatabase
import Synchronization

// Work that blocks its thread, such as reading a file, for asynchronous
// functions: the threads of the concurrency runtime are as many as the cores.
extension Agent {
    /// Runs work on a queue of the agent, in the order of the calls. When the
    /// task is cancelled, it doesn't wait for the work, which runs nevertheless.
    ///
    /// - Throws: The work's error, `CancellationError`.
    func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let (end, value) = (Completion(), BlockingValue<Value>())
        blockingWork.async {
            end.decide(Result { try value.set(work()) })
        }
        try await end.wait()
        guard let value = value.get() else { throw CancellationError() }
        return value
    }

    /// Whether the device allows payments now, like ``canMakePayments``,
    /// without blocking the thread.
    ///
    /// - Throws: `CancellationError`.
    package func allowsPayments() async throws -> Bool {
        let restrictions = synchronizer.restrictions
        return try await blocking { restrictions.refusal == nil }
    }

    /// Begins to deliver updates to a subscriber, like ``observe(as:_:)``,
    /// without blocking the thread. ``observed()`` waits for it.
    package func beginObserving(
        as subscriber: Subscriber, _ handler: @escaping @Sendable ([AgentUpdate]) -> Void
    ) {
        blockingWork.async { [delivery] in delivery.observe(as: subscriber, handler) }
    }

    /// Waits until the earlier calls of
    /// ``beginObserving(as:_:)`` and ``endObserving(as:)`` have their effect.
    package func observed() async {
        try? await blocking {}
    }

    /// Stops the delivery of updates to a subscriber, after the earlier calls of
    /// ``beginObserving(as:_:)``, without blocking the thread.
    package func endObserving(as subscriber: Subscriber) {
        blockingWork.async { [delivery] in delivery.stopObserving(as: subscriber) }
    }

    /// Reads the root certificates again, and the environment of the store: the
    /// file may have been written, and the device may have been registered,
    /// after the app has started.
    func readRoots() async {
        let environment = try? await journal.database.read { try JournalState.load($0).environment }
        if let environment { verifier.require(PayloadEnvironment(rawValue: environment)) }
        try? await blocking { [verifier] in verifier.readRoots() }
    }
}

/// The value of work that another thread runs.
private final class BlockingValue<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ value: Value) {
        self.value.withLock { $0 = value }
    }

    func get() -> Value? { value.withLock { $0 } }
}
