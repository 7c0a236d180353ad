// SPDX-License-Identifier: Apache-2.0

/// Who may run beside whom. What mustn't run yet waits here and not on a
/// connection, where it would keep one from others.
///
/// Closures for one account follow one another. A write that was in the way of
/// others too often waits until it is the only write, and then runs alone.
struct Lanes {
    /// What may run now, in order.
    private(set) var ready = Line<Work>()

    private var accounts: [String: Line<Work>] = [:]
    private var writing = 0
    private var isOneAlone = false
    private var writes = Line<Work>()
    private var lonely = Line<Work>()

    /// Puts work where it has to wait.
    mutating func enter(_ work: Work) {
        switch work.kind {
        case .read: ready.append(work)
        case .account(let account):
            if accounts[account] == nil {
                accounts[account] = Line()
                ready.append(work)
            } else {
                accounts[account]?.append(work)
            }
        case .write:
            work.isAlone ? lonely.append(work) : writes.append(work)
            admitWrites()
        }
    }

    /// Takes the next work; it has to ``leave(_:)`` when it is done.
    mutating func take() -> Work? { ready.popFirst() }

    /// Makes room for those that waited for this work.
    mutating func leave(_ work: Work) {
        switch work.kind {
        case .read: break
        case .account(let account):
            if let next = accounts[account]?.popFirst() {
                ready.append(next)
            } else {
                accounts[account] = nil
            }
        case .write:
            writing -= 1
            if work.isAlone { isOneAlone = false }
            admitWrites()
        }
    }

    private mutating func admitWrites() {
        while !isOneAlone {
            if !lonely.isEmpty {
                guard writing == 0, let work = lonely.popFirst() else { return }
                isOneAlone = true
                writing = 1
                ready.append(work)
            } else if let work = writes.popFirst() {
                writing += 1
                ready.append(work)
            } else {
                return
            }
        }
    }
}
