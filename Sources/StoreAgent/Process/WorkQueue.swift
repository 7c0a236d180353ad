// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Runs work one after the other, in the order in which it came.
package protocol WorkQueue: Sendable {
    /// Adds work at the end.
    func async(_ work: @escaping @Sendable () -> Void)

    /// Adds work at the end when some time has passed.
    func async(after pause: Duration, _ work: @escaping @Sendable () -> Void)

    /// Adds work at the end and blocks until it is done.
    func sync(_ work: () -> Void)
}

/// A queue of libdispatch.
struct DispatchWorkQueue: WorkQueue {
    private let queue: DispatchQueue

    init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    func async(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    func async(after pause: Duration, _ work: @escaping @Sendable () -> Void) {
        let milliseconds = pause.components.seconds * 1000 + pause.components.attoseconds / 1_000_000_000_000_000
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(milliseconds)), execute: work)
    }

    func sync(_ work: () -> Void) {
        queue.sync(execute: work)
    }
}
