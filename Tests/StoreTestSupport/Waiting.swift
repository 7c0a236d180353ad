// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import Testing

extension Duration {
    /// A limit of real time that isn't the subject of a test. No test reaches
    /// it: it is longer than all of them take together on a busy machine, and
    /// than the time after which one counts as hung.
    package static let beyondTests: Duration = .seconds(6 * 60 * 60)
}

extension TimeLimitTrait.Duration {
    /// The time after which a test counts as hung.
    ///
    /// The tests of a process run at the same time, and each of them waits for
    /// the turns of all others: a test may take as long as all of them do.
    package static var hang: Self { .minutes(120) }
}

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
