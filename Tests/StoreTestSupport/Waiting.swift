// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Waits for a condition, and sleeps between two checks so that other code
/// gets the processor.
package func until(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    while try await !condition() {
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Returns after all updates that were put on the main queue before.
package func mainQueueUpdates() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
    }
}
