// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Blocks closures until the test opens the gate.
package final class Gate: @unchecked Sendable {  // because the condition guards the flags
    private let condition = NSCondition()
    private var holding = 0
    private var opened = false

    package init() {}

    /// The number of closures that have reached the gate.
    package var arrivals: Int { condition.withLock { holding } }

    /// Whether a closure has reached the gate.
    package var isHeld: Bool { arrivals > 0 }

    package func hold() {
        condition.withLock {
            holding += 1
            while !opened { condition.wait() }
        }
    }

    package func open() {
        condition.withLock {
            opened = true
            condition.broadcast()
        }
    }
}
