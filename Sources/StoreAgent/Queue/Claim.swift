// SPDX-License-Identifier: Apache-2.0

/// Which process may show an entry.
///
/// An entry is shown by one living process at a time. The one that asked for
/// it has the first claim while it lives and observes; what a dead process
/// held is free.
struct Claim: Sendable {
    /// The process that wants to know.
    let process: String
    /// The living processes that observe the queue, this one or not.
    let observers: Set<String>

    /// Whether the process shows the entry already.
    func holds(_ entry: QueueEntry) -> Bool {
        entry.holder == process
    }

    /// Whether the process may show the entry from now on.
    func mayTake(_ entry: QueueEntry) -> Bool {
        if let holder = entry.holder, holder != process, observers.contains(holder) { return false }
        if let adder = entry.adder, adder != process, observers.contains(adder) { return false }
        return true
    }
}
