// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Calls the app's observers, delegates and handlers on the main queue, in
/// order.
package final class CallbackQueue: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    /// Adds a call after the pending ones. It runs before all work that is put
    /// on the main queue later.
    package func add(_ call: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(call) }
        DispatchQueue.main.async { self.callNext() }
    }

    /// On the main queue, runs all pending calls and those that they add.
    package func callAll() {
        guard Self.isOnMainQueue else { return }
        while callNext() {}
    }

    /// Whether the main queue runs this code. That isn't always the main
    /// thread: after `dispatchMain()`, other threads run the main queue on
    /// Linux.
    private static var isOnMainQueue: Bool {
        _ = mark
        return Thread.isMainThread || DispatchQueue.getSpecific(key: key) != nil
    }

    private static let key = DispatchSpecificKey<Void>()
    private static let mark: Void = DispatchQueue.main.setSpecific(key: key, value: ())

    @discardableResult
    private func callNext() -> Bool {
        let next = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        next?()
        return next != nil
    }
}
