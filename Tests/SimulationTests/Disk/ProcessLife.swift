// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The life of one process: it ends at any moment, and what the dead
/// process' code does afterwards has no effect.
final class ProcessLife: Sendable {
    private struct State {
        var isAlive = true
        /// How many more changes of the disk it lives to see.
        var changesLeft: Int?
    }

    let name: String
    let disk: SimulatedDisk
    private let state = Mutex(State())

    init(_ name: String, on disk: SimulatedDisk) {
        self.name = name
        self.disk = disk
    }

    var hasEnded: Bool { state.withLock { !$0.isAlive } }

    /// Whether what it does has an effect: it hasn't ended, and there is power.
    var isAlive: Bool { !hasEnded && !disk.isDown }

    func end() {
        state.withLock { $0.isAlive = false }
    }

    /// Ends the process between two of its changes of the disk.
    func end(afterChanges count: Int) {
        state.withLock { $0.changesLeft = count }
    }

    /// Counts a change that the process is about to make.
    ///
    /// - Returns: whether it lives to make it.
    func mayChangeDisk() -> Bool {
        state.withLock { state in
            guard state.isAlive else { return false }
            guard let left = state.changesLeft else { return true }
            guard left > 0 else {
                state.isAlive = false
                return false
            }
            state.changesLeft = left - 1
            return true
        }
    }
}
