// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import Synchronization

/// The calls of an app's observers, delegates and handlers: on the main queue,
/// in their order.
package final class CallbackQueue: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    /// Adds a call behind those that wait, and before whatever is put on the
    /// main queue later.
    package func add(_ call: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(call) }
        DispatchQueue.main.async { self.callNext() }
    }

    /// On the main queue: makes all the calls that wait, and those that they
    /// lead to, now.
    package func callAll() {
        guard Self.isOnMainQueue else { return }
        while callNext() {}
    }

    /// Whether this is the main queue, which isn't always the main thread's:
    /// after `dispatchMain()` others run it on Linux.
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
