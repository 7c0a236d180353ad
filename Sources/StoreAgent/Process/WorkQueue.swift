// SPDX-License-Identifier: Apache-2.0

import Dispatch
import StoreCore

/// Runs closures one at a time, in the order in which they were added.
package protocol WorkQueue: Sendable {
    /// Adds a closure.
    func async(_ work: @escaping @Sendable () -> Void)

    /// Adds a closure after a pause.
    func async(after pause: Duration, _ work: @escaping @Sendable () -> Void)

    /// Adds a closure and blocks until it has run.
    func sync(_ work: () -> Void)
}

/// A serial dispatch queue.
struct DispatchWorkQueue: WorkQueue {
    private let queue: DispatchQueue

    init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    func async(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    func async(after pause: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(pause.milliseconds)), execute: work)
    }

    func sync(_ work: () -> Void) {
        queue.sync(execute: work)
    }
}
