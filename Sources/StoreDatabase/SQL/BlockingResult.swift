// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The result that a synchronous call waits for.
package final class BlockingResult<Value: Sendable>: @unchecked Sendable {  // because the condition guards the result
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    package init() {}

    /// Stores the result and wakes the waiting thread.
    package func give(_ result: Result<Value, any Error>) {
        condition.lock()
        defer { condition.unlock() }
        self.result = result
        condition.signal()
    }

    /// Blocks until the result is there.
    package func wait() throws -> Value {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result { return try result.get() }
            condition.wait()
        }
    }
}
