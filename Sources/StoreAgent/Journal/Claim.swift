// SPDX-License-Identifier: Apache-2.0

/// Decides whether a process may deliver an entry to its observers.
///
/// One living process at a time delivers an entry. The process that requested
/// it comes first as long as it lives and observes the queue. An entry of a
/// dead process is free.
struct Claim: Sendable {
    /// The process that asks.
    let process: String
    /// The living processes that observe the queue; may include `process`.
    let observers: Set<String>

    /// Whether the process delivers the updates that one process delivers and
    /// that no process holds, such as revocations: the living observer with
    /// the least identifier.
    var isFirst: Bool { observers.min() == process }

    /// Whether the process holds the entry already.
    func holds(_ entry: JournalEntry) -> Bool {
        entry.holder == process
    }

    /// Whether the process may hold the entry from now on.
    func mayTake(_ entry: JournalEntry) -> Bool {
        if let holder = entry.holder, holder != process, observers.contains(holder) { return false }
        if let adder = entry.adder, adder != process, observers.contains(adder) { return false }
        return true
    }
}
