// SPDX-License-Identifier: Apache-2.0

/// The processes of the app that the journal records for the queue, living or
/// not.
struct QueueProcesses: Sendable {
    /// The processes that observe the queue.
    var observers: [String]
    /// The processes that don't observe it, and keep the transactions that a
    /// purchase has returned to them.
    var keepers: [String]

    var all: Set<String> { Set(observers + keepers) }
}

/// Decides whether a process may deliver an entry to its observers.
///
/// One living process at a time delivers an entry. The process that requested
/// it comes first as long as it lives and observes the queue. An entry of a
/// dead process is free.
///
/// A process that has bought without observing the queue delivers the
/// transaction of its purchase nevertheless: it keeps that one, and takes no
/// other.
struct Claim: Sendable, Hashable {
    /// The process that asks.
    let process: String
    /// The living processes that observe the queue; may include `process`.
    let observers: Set<String>
    /// The living processes that keep the entries that they hold.
    let keepers: Set<String>

    init(process: String, observers: Set<String>, keepers: Set<String> = []) {
        self.process = process
        self.observers = observers
        self.keepers = keepers
    }

    init(_ processes: QueueProcesses, of process: String, isAlive: (String) -> Bool) {
        self.init(
            process: process, observers: Set(processes.observers.filter(isAlive)),
            keepers: Set(processes.keepers.filter(isAlive)))
    }

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
        if let holder = entry.holder, holder != process, observers.contains(holder) || keepers.contains(holder) {
            return false
        }
        if let adder = entry.adder, adder != process, observers.contains(adder) { return false }
        return true
    }
}
