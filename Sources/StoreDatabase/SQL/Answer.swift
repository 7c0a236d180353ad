// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The answer that a thread waits for at the synchronous door.
package final class Answer<Value: Sendable>: @unchecked Sendable {  // because the condition guards the result
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    package init() {}

    /// Gives the answer and wakes the thread that waits.
    package func give(_ result: Result<Value, any Error>) {
        condition.lock()
        defer { condition.unlock() }
        self.result = result
        condition.signal()
    }

    /// Blocks until the answer is there.
    package func wait() throws -> Value {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result { return try result.get() }
            condition.wait()
        }
    }
}
