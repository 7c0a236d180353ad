// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The lifetime of one simulated process. A process can end at any moment;
/// its code that runs afterwards has no effect.
final class ProcessLife: Sendable {
    private struct State {
        var isAlive = true
        /// The number of disk changes that the process can still make; `nil`
        /// without a limit.
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

    /// Whether the process' code has an effect: the process hasn't ended and
    /// its machine has power.
    var isAlive: Bool { !hasEnded && !disk.isDown }

    func end() {
        state.withLock { $0.isAlive = false }
    }

    /// Ends the process at the first disk change after `count` more.
    func end(afterChanges count: Int) {
        state.withLock { $0.changesLeft = count }
    }

    /// Counts a change of the disk that the process is about to make.
    ///
    /// - Returns: `false` if the process has ended, or ends instead of making
    ///   it.
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
