// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Synchronization

/// Leaves the synchronization of an app to the user's daemon while one runs,
/// and synchronizes while none does.
///
/// The lock of the synchronizer alone decides who works on the journal: the
/// daemon waits for it, too. So each of both may end at any moment, and
/// nothing is handed over but the lock. An agent releases it after the daemon
/// has answered that it serves the app.
struct DaemonHandover: Sendable {
    let door: any DaemonDoor
    let synchronizer: StoreSynchronizer
    let watch: DaemonWatch

    private var clock: AgentClock { synchronizer.clock }
    private var faults: FaultPoints { synchronizer.faults }

    /// After a daemon has ended, or has refused, it isn't asked for this
    /// long.
    private static let pause = Duration.seconds(1)
    /// A daemon is asked this often, even if no process has woken this one:
    /// the service manager starts a daemon that is asked.
    private static let period = Duration.seconds(60)

    /// Runs until the task is cancelled.
    ///
    /// - Throws: `CancellationError`, ``AgentError`` with the code
    ///   `journalVersion`.
    func run() async throws {
        var complaint: String?
        var link = await ask(&complaint)
        while true {
            if let open = link {
                defer { open.close() }
                await open.follow(present)
                try Task.checkCancellation()
                synchronizer.logger.info("The daemon has ended. This app synchronizes its purchases.")
            }
            link = try await synchronize(&complaint)
        }
    }

    /// Asks the daemon. A refusal is logged once.
    private func ask(_ complaint: inout String?) async -> (any DaemonLink)? {
        switch await door.ask(DaemonApp(synchronizer.configuration)) {
        case .absent:
            return nil
        case .refused(let refusal):
            if complaint != refusal.message { synchronizer.logger.warning("\(refusal.message)") }
            complaint = refusal.message
            return nil
        case .accepted(let link):
            complaint = nil
            return link
        }
    }

    /// Synchronizes until a daemon serves the app. The lock is released when
    /// this returns.
    private func synchronize(_ complaint: inout String?) async throws -> (any DaemonLink)? {
        let known = complaint
        let (link, latest) = try await withThrowingTaskGroup(of: ((any DaemonLink)?, String?)?.self) { group in
            group.addTask {
                try await synchronizer.run()
                return nil
            }
            group.addTask { try await find(known) }
            defer { group.cancelAll() }
            guard let found = try await group.next() ?? nil else { throw CancellationError() }
            faults.before(.yield)
            group.cancelAll()
            while await group.nextResult() != nil {}
            faults.after(.yield)
            return found
        }
        complaint = latest
        return link
    }

    /// Waits for a daemon that serves the app: asks after each wake-up by
    /// another process, such as a daemon that has started.
    private func find(_ known: String?) async throws -> ((any DaemonLink)?, String?) {
        var complaint = known
        while true {
            try await clock.sleep(for: Self.pause)
            if let link = await ask(&complaint) { return (link, complaint) }
            try await watch.wait(atMost: Self.period, clock)
        }
    }

    /// Shows a sheet that the daemon passes on, unless this process has shown
    /// it before.
    @Sendable private func present(_ address: String) async throws {
        guard synchronizer.signals.mayShow(forDaemon: address) else { return }
        try await SheetAddress(address, from: synchronizer.configuration.storeURL).present(with: synchronizer.presenter)
    }
}

/// Signals that another process has woken this one.
final class DaemonWatch: Sendable {
    private struct State {
        var isWoken = false
        var waiting: Completion?
    }

    private let state = Mutex(State())

    /// Ends the wait, or the next one.
    func wake() {
        let waiting = state.withLock { state in
            state.isWoken = true
            return state.waiting
        }
        waiting?.decide(.success(()))
    }

    /// Waits for a wake-up, or for a time to pass.
    ///
    /// - Throws: `CancellationError`.
    func wait(atMost time: Duration, _ clock: AgentClock) async throws {
        let woken = Completion()
        let isWoken = state.withLock { state in
            state.waiting = woken
            return state.isWoken
        }
        if isWoken { woken.decide(.success(())) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await woken.wait() }
            group.addTask { try await clock.sleep(for: time) }
            defer { group.cancelAll() }
            try await group.next()
        }
        state.withLock { state in
            state.isWoken = false
            state.waiting = nil
        }
    }
}
