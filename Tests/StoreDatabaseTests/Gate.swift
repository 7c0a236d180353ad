// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Blocks a write closure until the test opens the gate.
final class Gate: @unchecked Sendable {  // because the condition guards the flags
    private let condition = NSCondition()
    private var held = false
    private var opened = false

    var isHeld: Bool { condition.withLock { held } }

    func hold() {
        condition.withLock {
            held = true
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
