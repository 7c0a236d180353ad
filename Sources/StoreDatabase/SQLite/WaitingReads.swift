// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts the reads of a database that wait for a connection.
final class WaitingReads: Sendable {
    private let limit: Int
    private let waiting = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of reads that wait.
    var count: Int { waiting.withLock { $0 } }

    /// Counts a read that begins to wait; `nil` when too many wait and it
    /// isn't urgent.
    func enter(isUrgent: Bool) -> Place? {
        let isAccepted = waiting.withLock { waiting in
            guard isUrgent || waiting < limit else { return false }
            waiting += 1
            return true
        }
        return isAccepted ? Place(reads: self) : nil
    }

    /// The place of one waiting read.
    final class Place: Sendable {
        private let reads: WaitingReads
        private let isTaken = Mutex(true)

        fileprivate init(reads: WaitingReads) {
            self.reads = reads
        }

        deinit { leave() }

        /// Records that the read doesn't wait any more. Repeating it changes
        /// nothing.
        func leave() {
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = false }
                return isTaken
            }
            if wasTaken { reads.waiting.withLock { $0 -= 1 } }
        }
    }
}
