// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport

/// Runs every task, queue and timer of a simulation on one thread, in single
/// steps. The seed decides which of the possible steps is next. Time passes
/// only when no step is possible.
///
/// Tasks that are started with it as their executor, and their child tasks,
/// run only on that thread. That is why a seed gives the same run every time.
final class Scheduler: TaskExecutor, @unchecked Sendable {  // because it refuses every thread but its own
    private enum Ready {
        case job(UnownedJob)
        case work(queue: Int, () -> Void)
    }

    private struct Timer {
        var due: Int64
        var action: () -> Void
    }

    private let thread = pthread_self()
    private var random: SeededGenerator
    private var ready: [Ready] = []
    private var timers: [Int: Timer] = [:]
    private var agenda = Agenda()
    private var names = 0
    private(set) var steps = 0
    /// Milliseconds since 1970.
    private(set) var now: Int64 = 1_767_323_045_000

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// A number that no queue and no timer has had.
    func newName() -> Int {
        names += 1
        return names
    }

    func enqueue(_ job: consuming ExecutorJob) {
        checkThread()
        ready.append(.job(UnownedJob(job)))
    }

    /// Appends work to a queue.
    func add(to queue: Int, _ work: @escaping () -> Void) {
        checkThread()
        ready.append(.work(queue: queue, work))
    }

    /// Removes all work from a queue and returns it, in order.
    func takeAll(of queue: Int) -> [() -> Void] {
        var taken: [() -> Void] = []
        ready.removeAll { item in
            guard case .work(queue, let work) = item else { return false }
            taken.append(work)
            return true
        }
        return taken
    }

    /// Runs an action after a number of milliseconds.
    @discardableResult
    func after(_ milliseconds: Int64, _ action: @escaping () -> Void) -> Int {
        checkThread()
        let name = newName()
        timers[name] = Timer(due: now + max(0, milliseconds), action: action)
        agenda.insert(due: now + max(0, milliseconds), name: name)
        return name
    }

    /// Removes all timers and all queued work.
    func clear() {
        timers = [:]
        ready = ready.filter { if case .job = $0 { true } else { false } }
    }

    func cancel(_ timer: Int) {
        timers[timer] = nil
    }

    /// Lets time pass in which nothing runs, as when all machines are off. The
    /// timers of that time run afterwards.
    func leap(_ milliseconds: Int64) {
        now += milliseconds
    }

    /// Runs one step, or advances the time to the next timer and runs that.
    ///
    /// - Returns: `false` if there was nothing to run before the limit.
    func step(until limit: Int64) -> Bool {
        steps += 1
        if !ready.isEmpty {
            run(ready.remove(at: pick()))
            return true
        }
        while let next = agenda.first {
            guard next.due <= limit else { break }
            agenda.removeFirst()
            guard let timer = timers.removeValue(forKey: next.name) else { continue }
            now = max(now, timer.due)
            timer.action()
            return true
        }
        now = max(now, limit)
        return false
    }

    /// Picks the index of the next step. The work of one queue keeps its
    /// order.
    private func pick() -> Int {
        let place = ready.count == 1 ? 0 : Int(random.next() % UInt64(ready.count))
        guard case .work(let queue, _) = ready[place] else { return place }
        return ready.firstIndex { if case .work(queue, _) = $0 { true } else { false } } ?? place
    }

    private func run(_ item: Ready) {
        switch item {
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .work(_, let work): work()
        }
    }

    /// Ends the process when another thread enters: the order of steps would
    /// no longer depend on the seed alone.
    private func checkThread() {
        precondition(pthread_equal(pthread_self(), thread) != 0, "the simulation was entered from another thread")
    }
}

/// The times at which timers are due, as a binary heap: earliest first, and
/// for equal times in the order in which the timers were set.
private struct Agenda {
    struct Entry {
        var due: Int64
        var name: Int

        static func < (left: Entry, right: Entry) -> Bool { (left.due, left.name) < (right.due, right.name) }
    }

    private var entries: [Entry] = []

    var first: Entry? { entries.first }

    mutating func insert(due: Int64, name: Int) {
        entries.append(Entry(due: due, name: name))
        var child = entries.count - 1
        while child > 0, entries[child] < entries[(child - 1) / 2] {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < entries.count }
            guard let least = children.min(by: { entries[$0] < entries[$1] }), entries[least] < entries[parent]
            else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
