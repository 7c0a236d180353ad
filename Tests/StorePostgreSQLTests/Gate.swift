// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Blocks closures until the test opens the gate.
final class Gate: @unchecked Sendable {  // because the condition guards the flags
    private let condition = NSCondition()
    private var holding = 0
    private var opened = false

    /// The number of closures that have reached the gate.
    var arrivals: Int { condition.withLock { holding } }

    func hold() {
        condition.withLock {
            holding += 1
            while !opened { condition.wait() }
        }
    }

    func open() {
        condition.withLock {
            opened = true
            condition.broadcast()
        }
    }
}
