// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Passes the sheets of an app on to one of its connected processes.
///
/// A process of the app is where the customer is: it has the terminal, and the
/// desktop's variables, which the service manager may not have given to the
/// daemon.
final class DaemonSheets: Sendable {
    private struct State {
        /// The connected processes, the latest last.
        var channels: [DaemonChannel] = []
        var number = 0
        var waiting: [Int: (channel: ObjectIdentifier, shown: Completion)] = [:]
    }

    private let state = Mutex(State())

    /// The number of connected processes. One that has just ended may still
    /// have to ``leave(_:)``.
    var count: Int { state.withLock { $0.channels }.count { $0.state == .open } }

    func enter(_ channel: DaemonChannel) {
        state.withLock { $0.channels.append(channel) }
    }

    /// Removes a process that has ended. Its customer may have seen the
    /// sheets that it was about to show.
    func leave(_ channel: DaemonChannel) {
        let lost = state.withLock { state in
            state.channels.removeAll { $0 === channel }
            let lost = state.waiting.filter { $0.value.channel == ObjectIdentifier(channel) }
            lost.keys.forEach { state.waiting[$0] = nil }
            return lost.values.map(\.shown)
        }
        for shown in lost {
            shown.decide(.failure(AgentError(.sheetProgram, "The app ended before it had shown the sheet.")))
        }
    }

    /// Records that a process has shown a sheet, or couldn't.
    func record(_ shown: DaemonLine.Shown) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: shown.number)?.shown }
        guard let failure = shown.failure else {
            waiting?.decide(.success(()))
            return
        }
        waiting?.decide(.failure(AgentError(shown.mayBeSeen == false ? .sheet : .sheetProgram, failure)))
    }

    /// Closes all connections, so that the processes synchronize the app.
    func closeAll() {
        let channels = state.withLock { $0.channels }
        channels.forEach { $0.close() }
    }

    /// Shows a sheet in the latest process.
    ///
    /// - Returns: whether a process has shown it. Without one, it wasn't
    ///   shown.
    /// - Throws: ``AgentError`` with the code `sheet` or `sheetProgram`,
    ///   `CancellationError`.
    func show(_ sheet: URL) async throws -> Bool {
        let shown = Completion()
        let (channel, number) = state.withLock { state in
            state.number += 1
            if let latest = state.channels.last {
                state.waiting[state.number] = (ObjectIdentifier(latest), shown)
            }
            return (state.channels.last, state.number)
        }
        guard let channel else { return false }
        let line = DaemonLine(sheet: DaemonLine.Sheet(number: number, address: sheet.absoluteString))
        guard channel.send(line) else {
            state.withLock { $0.waiting[number] = nil }
            return false
        }
        try await shown.wait()
        return true
    }
}

/// Shows the sheets of an app that the daemon synchronizes: in the app while
/// it runs, and otherwise in the way that the app has set.
struct DaemonPresenter: SheetPresenter {
    let sheets: DaemonSheets
    let own: any SheetPresenter

    func present(_ sheet: URL) async throws {
        if try await sheets.show(sheet) { return }
        try await own.present(sheet)
    }
}
